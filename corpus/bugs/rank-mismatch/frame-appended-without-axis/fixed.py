import numpy as np
frames = [np.zeros((84, 84)) for _ in range(4)]
state = np.stack(frames, axis=2)
new = np.zeros((84, 84))
state = np.append(state[:, :, 1:], new[:, :, None], axis=2)
