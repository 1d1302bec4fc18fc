#!/usr/bin/env python
"""Reduces the colours of a picture by k-means."""
from __future__ import division, print_function

import sys

import numpy as np


def sample_picture(height=40, width=60):
    y, x = np.mgrid[:height, :width]
    picture = np.stack([255 * x / width, 255 * y / height, 128 + 0 * x], axis=-1)
    return picture.astype(np.uint8)


def assign(pixels, centers):
    """The number of the nearest center for each pixel."""
    distance = np.sqrt(np.sum((pixels - centers) ** 2, axis=1))
    return np.argmin(distance)


def kmeans(pixels, k, iterations, seed=0):
    rng = np.random.RandomState(seed)
    centers = pixels[rng.choice(len(pixels), k, replace=False)]
    for _ in range(iterations):
        labels = assign(pixels, centers)
        for j in range(k):
            members = pixels[labels == j]
            if len(members):
                centers[j] = members.mean(axis=0)
    return centers, labels


def main(argv):
    k = int(argv[1]) if len(argv) > 1 else 5
    picture = sample_picture()
    pixels = picture.reshape(-1, 3).astype(np.float64)
    centers, labels = kmeans(pixels, k, iterations=4)
    reduced = centers[labels].reshape(picture.shape).astype(np.uint8)
    print("colours:", len(np.unique(reduced.reshape(-1, 3), axis=0)))
    print("mean change:", np.abs(reduced.astype(int) - picture).mean())


if __name__ == "__main__":
    main(sys.argv)
