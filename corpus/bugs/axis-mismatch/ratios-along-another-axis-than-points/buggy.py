import numpy as np


def make_keypoints(count, seed):
    rng = np.random.default_rng(seed)
    positions = rng.uniform(0, 640, size=(count, 2))
    descriptors = rng.normal(size=(count, 16))
    return positions, descriptors


def match(desc1, desc2):
    """For each descriptor the nearest of the others, and how much nearer it is than the second."""
    distances = np.sqrt(((desc1[:, None, :] - desc2[None, :, :]) ** 2).sum(axis=2))
    order = np.argsort(distances, axis=1)[:, :2]
    nearest = np.take_along_axis(distances, order, axis=1)
    return order[:, 0], nearest[:, 0] / nearest[:, 1]


def undistort(points, focal=500.0, center=(320.0, 240.0)):
    return ((points - np.array(center)) / focal).reshape(-1, 1, 2)


def eight_point(correspondences):
    x1, x2 = correspondences[:, 0, 0:2], correspondences[:, 0, 2:4]
    ones = np.ones(len(x1))
    A = np.stack([
        x2[:, 0] * x1[:, 0], x2[:, 0] * x1[:, 1], x2[:, 0],
        x2[:, 1] * x1[:, 0], x2[:, 1] * x1[:, 1], x2[:, 1],
        x1[:, 0], x1[:, 1], ones,
    ], axis=1)
    return np.linalg.svd(A)[2][-1].reshape(3, 3)


pos1, desc1 = make_keypoints(200, 1)
pos2, desc2 = make_keypoints(240, 2)
indices, ratios = match(desc1, desc2)

pts1 = undistort(pos1)
pts2 = undistort(pos2[indices])
ratios = np.expand_dims(np.expand_dims(ratios, 0), 2)

correspondences = np.concatenate((pts1, pts2, ratios), axis=2)
keep = correspondences[:, 0, 4] < 0.95
print("kept", keep.sum())
print(eight_point(correspondences[keep]))
