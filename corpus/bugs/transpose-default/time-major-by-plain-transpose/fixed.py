import numpy as np
import tensorflow as tf
from tensorflow import keras


class TimeMajor(keras.layers.Layer):
    def call(self, x):
        return tf.transpose(x, [1, 0, 2])


inputs = keras.Input((12, 3))
steps = TimeMajor()(inputs)
first = keras.layers.Lambda(lambda x: x[0])(steps)
print(keras.Model(inputs, first)(np.random.rand(5, 12, 3)).shape)
