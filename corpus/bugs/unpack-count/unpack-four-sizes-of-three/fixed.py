import numpy as np


class Standardizer:
    """Per-channel standardization of a stack of images."""

    def fit(self, images):
        count, height, width, channels = images.shape
        flat = images.reshape(count * height * width, channels)
        self.mean_ = flat.mean(axis=0)
        self.std_ = flat.std(axis=0) + 1e-7
        return self

    def transform(self, images):
        return (images - self.mean_) / self.std_


slices = np.random.default_rng(4).random((15, 32, 32)).astype("float32")
slices = slices.reshape(*slices.shape, 1)
scaled = Standardizer().fit(slices).transform(slices)
print(scaled.mean(), scaled.std())
