import keras
import tensorflow as tf


class Bias(keras.layers.Layer):
    def call(self, x):
        bias = self.add_weight(shape=(x.shape[-1],), initializer="zeros", name="bias")
        return x + bias


layer = Bias()
print(layer(tf.ones([2, 3])).shape)
print(layer(tf.ones([4, 3])).shape)
