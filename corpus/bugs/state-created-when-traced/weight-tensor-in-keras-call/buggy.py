import numpy as np
import tensorflow as tf
from tensorflow import keras


class LearnedScale(keras.layers.Layer):
    def call(self, x):
        scale = tf.Variable(tf.ones([x.shape[-1]]))
        return x * scale


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.scale = LearnedScale()
        self.dense = keras.layers.Dense(1)

    def call(self, x):
        return self.dense(self.scale(x))


net = Net()
net.compile("adam", "mse")
net.fit(np.random.rand(16, 5), np.random.rand(16, 1), verbose=0)
print(net.predict(np.ones((2, 5)), verbose=0).shape)
