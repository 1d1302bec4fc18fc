import numpy as np
from tensorflow.keras.datasets import cifar10

(x_train, y_train), (x_test, y_test) = cifar10.load_data()
x_train = x_train[:1000].reshape(1000, -1)
mean = x_train.mean(axis=0)
centred = x_train - mean


def as_image(vector, size=(32, 32, 3)):
    lo, hi = vector.min(), vector.max()
    return np.reshape((vector - lo) / (hi - lo + 1e-9), size)


gallery = np.stack([as_image(row) for row in centred[:16]])
print(gallery.shape)
