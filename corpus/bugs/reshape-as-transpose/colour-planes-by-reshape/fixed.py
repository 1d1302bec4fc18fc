import numpy as np

rng = np.random.default_rng(0)
pictures = rng.integers(0, 255, size=(6, 24, 32, 3)).astype("float32") / 255.0
n, height, width, colours = pictures.shape
planes = pictures.transpose(0, 3, 1, 2)
means = planes.mean(axis=(0, 2, 3))
print("mean of each colour:", means)
