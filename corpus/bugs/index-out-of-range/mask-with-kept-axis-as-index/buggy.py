"""Keeps the points of a cloud that lie near the others and fits a plane to them."""
import numpy as np


def make_cloud(inliers=300, outliers=30, seed=6):
    rng = np.random.RandomState(seed)
    xy = rng.uniform(-1, 1, size=(inliers, 2))
    z = 0.4 * xy[:, :1] - 0.2 * xy[:, 1:] + 0.01 * rng.normal(size=(inliers, 1))
    plane = np.hstack([xy, z])
    noise = rng.uniform(-5, 5, size=(outliers, 3))
    return np.vstack([plane, noise])


def normalise(points):
    return points - np.median(points, axis=0), np.median(points, axis=0)


def near(points, radius):
    distance = np.sqrt(np.sum(points ** 2, axis=-1, keepdims=True))
    return distance <= radius


def fit_plane(points):
    design = np.column_stack([points[:, 0], points[:, 1], np.ones(len(points))])
    coefficients, _, _, _ = np.linalg.lstsq(design, points[:, 2], rcond=None)
    return coefficients


cloud = make_cloud()
centred, center = normalise(cloud)
best = None
for radius in (3.0, 2.0, 1.5):
    mask = near(centred, radius)
    kept = centred[mask]
    coefficients = fit_plane(kept)
    error = np.abs(kept[:, :2] @ coefficients[:2] + coefficients[2] - kept[:, 2]).mean()
    print("radius", radius, "points", len(kept), "error", error)
    if best is None or error < best[0]:
        best = (error, coefficients)
print("plane", best[1], "around", center)
