import numpy as np
from numpy import pi

HEIGHT, WIDTH = 60, 80


def disk(cx, cy, radius):
    y, x = np.ogrid[:HEIGHT, :WIDTH]
    return ((x - cx) ** 2 + (y - cy) ** 2 < radius ** 2).astype(float)


def blur(image, passes=2):
    for _ in range(passes):
        padded = np.pad(image, 1, mode="edge")
        image = sum(padded[i:i + HEIGHT, j:j + WIDTH] for i in range(3) for j in range(3)) / 9.0
    return image


def edges(image):
    dx = np.diff(image, axis=1)
    dy = np.diff(image, axis=0)
    magnitude = np.sqrt(dx ** 2 + dy ** 2)
    angle = np.arctan2(dy, dx)
    return magnitude, angle


def orientation_histogram(magnitude, angle, bins=8):
    index = ((angle + pi) / (2 * pi) * bins).astype(int) % bins
    histogram = np.zeros(bins)
    for k in range(bins):
        histogram[k] = magnitude[index == k].sum()
    return histogram / (histogram.sum() + 1e-9)


descriptors = []
for radius in (5, 10, 20):
    image = blur(disk(40, 30, radius))
    magnitude, angle = edges(image)
    descriptors.append(orientation_histogram(magnitude, angle))
descriptors = np.array(descriptors)
print(np.round(descriptors, 3))
print("distances", np.linalg.norm(descriptors[:, None] - descriptors[None], axis=-1))
