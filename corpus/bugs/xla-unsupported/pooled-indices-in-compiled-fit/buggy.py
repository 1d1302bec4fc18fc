import numpy as np
import tensorflow as tf
from tensorflow import keras


class IndexPool(keras.layers.Layer):
    def call(self, x):
        pooled, where = tf.nn.max_pool_with_argmax(x, 2, 2, "VALID")
        return pooled + 0.0 * tf.cast(where, pooled.dtype)


inputs = keras.Input((8, 8, 1))
x = keras.layers.Conv2D(2, 3, padding="same")(inputs)
x = IndexPool()(x)
model = keras.Model(inputs, keras.layers.Dense(1)(keras.layers.Flatten()(x)))
model.compile("sgd", "mse", jit_compile=True)
model.fit(np.random.rand(4, 8, 8, 1), np.random.rand(4, 1), verbose=0)
print("fitted")
