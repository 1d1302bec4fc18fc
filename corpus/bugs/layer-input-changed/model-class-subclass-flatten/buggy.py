import keras
import numpy as np
import tensorflow as tf


class SmallNet(keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.conv1 = keras.layers.Conv2D(8, 3, strides=2, activation="relu")
        self.conv2 = keras.layers.Conv2D(16, 3, strides=2, activation="relu")
        self.flatten = keras.layers.Flatten()
        self.out = keras.layers.Dense(classes, activation="softmax")

    def call(self, x, training=False):
        x = self.conv1(x)
        x = self.conv2(x)
        x = self.flatten(x)
        return self.out(x)


def resize_all(images, size):
    return tf.image.resize(images, [size, size]).numpy()


rng = np.random.default_rng(0)
train_x = rng.random((24, 32, 32, 1)).astype("float32")
test_x = rng.random((8, 40, 40, 1)).astype("float32")
train_y = np.arange(24) % 4
test_y = np.arange(8) % 4

model = SmallNet(4)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train_x, train_y, batch_size=8, epochs=1, verbose=0)
model.evaluate(test_x, test_y, batch_size=8, verbose=0)
