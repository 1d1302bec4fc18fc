import numpy as np
def step(state, dt):
    pos, vel = state[:3], state[3:]
    r = np.linalg.norm(pos)
    acc = -pos / r ** 3
    return np.concatenate([vel, acc]) * dt
traj = np.zeros((100, 6))
state = np.array([1.0, 0, 0, 1.0, 0])
for i in range(100):
    state = state + step(state, 0.01)
    traj[i] = state
