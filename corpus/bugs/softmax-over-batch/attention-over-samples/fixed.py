import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers


class BagAttention(layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.project = layers.Dense(units, activation="tanh")
        self.score = layers.Dense(1)

    def call(self, bag):
        scores = self.score(self.project(bag))
        weights = tf.nn.softmax(scores, axis=1)
        return tf.reduce_sum(weights * bag, axis=1)


bags = layers.Input((10, 6))
model = Model(bags, layers.Dense(1)(BagAttention(8)(bags)))
print(model.predict(np.random.rand(4, 10, 6), verbose=0).shape)
