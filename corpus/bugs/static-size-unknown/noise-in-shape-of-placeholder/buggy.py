import numpy as np
import tensorflow as tf
import tf_keras
from tf_keras import layers


class ScaledNoise(layers.Layer):
    def build(self, input_shape):
        self.scale = self.add_weight(name="scale", shape=input_shape[-1:], initializer="ones")

    def call(self, x, training=None):
        if training:
            x = x + self.scale * tf.random.normal(x.shape)
        return x


model = tf_keras.Sequential([layers.Dense(6, input_shape=(4,)), ScaledNoise(), layers.Dense(1)])
model.compile("adam", "mse")
model.fit(np.random.rand(12, 4), np.random.rand(12, 1), verbose=0)
print(model.predict(np.zeros((2, 4)), verbose=0).shape)
