import random

import keras
import tensorflow as tf


class DropPath(keras.layers.Layer):
    def __init__(self, layer, survival):
        super().__init__()
        self.layer = layer
        self.survival = survival

    def call(self, x, training=False):
        keep = tf.cast(tf.random.uniform([]) < self.survival, tf.float32)
        return x + (keep if training else self.survival) * self.layer(x)


model = keras.Sequential([DropPath(keras.layers.Dense(5), 0.8), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.random.normal([64, 5]), tf.random.normal([64, 1]), epochs=2, verbose=0)
