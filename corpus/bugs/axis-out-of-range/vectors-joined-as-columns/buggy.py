import numpy as np


def polar(points):
    radius = np.hypot(points[:, 0], points[:, 1])
    angle = np.arctan2(points[:, 1], points[:, 0])
    return np.concatenate([radius, angle], axis=1)


def spiral(count, turns=2.0):
    t = np.linspace(0, 1, count)
    return np.column_stack((t * np.cos(turns * 2 * np.pi * t), t * np.sin(turns * 2 * np.pi * t)))


points = spiral(80)
features = polar(points)
print(features.shape, features[:, 0].max())
