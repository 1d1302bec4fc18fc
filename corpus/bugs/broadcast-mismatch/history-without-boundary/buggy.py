import numpy as np
nx, nt = 101, 50
dx, dt, alpha = 1 / 100, 1e-5, 1.0
u = np.sin(np.pi * np.linspace(0, 1, nx))
history = np.zeros((nt, nx - 2))
for n in range(nt):
    lap = (u[2:] - 2 * u[1:-1] + u[:-2]) / dx ** 2
    u[1:-1] += dt * alpha * lap
    history[n] = u
