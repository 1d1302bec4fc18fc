import numpy as np

angles = np.linspace(0.0, 1.0, 10)
cos, sin = np.cos(angles), np.sin(angles)
rotations = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)
points = np.random.default_rng(4).normal(size=(10, 2, 6))
moved = rotations @ points
print(moved.shape)
