import keras
import tensorflow as tf


class Bias(keras.layers.Layer):
    def build(self, shape):
        self.bias = self.add_weight(shape=(shape[-1],), initializer="zeros", name="bias")

    def call(self, x):
        return x + self.bias


layer = Bias()
print(layer(tf.ones([2, 3])).shape)
print(layer(tf.ones([4, 3])).shape)
