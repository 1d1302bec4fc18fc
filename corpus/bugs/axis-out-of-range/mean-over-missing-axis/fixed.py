import numpy as np


def to_grey(image):
    return image.mean(axis=2) if image.ndim == 3 else image


def contrast(image):
    grey = to_grey(image)
    return (grey.max() - grey.min()) / (grey.max() + grey.min() + 1e-9)


rng = np.random.default_rng(11)
colour = rng.integers(0, 255, size=(48, 64, 3)).astype(float)
scan = rng.integers(0, 255, size=(48, 64)).astype(float)

for label, picture in [("colour", colour), ("scan", scan)]:
    print(label, round(contrast(picture), 3))
