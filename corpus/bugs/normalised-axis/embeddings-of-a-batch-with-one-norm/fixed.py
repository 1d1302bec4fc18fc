import numpy as np
import tensorflow as tf
from tensorflow import keras


class Unit(keras.layers.Layer):
    def call(self, rows):
        return tf.math.l2_normalize(rows, axis=-1)


faces = keras.Input(shape=(64,))
units = Unit()(keras.layers.Dense(8)(faces))
embed = keras.Model(faces, units)
codes = embed.predict(np.random.rand(20, 64).astype("float32"), verbose=0)
likeness = codes @ codes.T
print(likeness.shape)
