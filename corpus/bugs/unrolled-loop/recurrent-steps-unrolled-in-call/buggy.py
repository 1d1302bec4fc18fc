import numpy as np
import tensorflow as tf
from tensorflow import keras


class SlowRecurrent(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.cell = keras.layers.SimpleRNNCell(units)
        self.out = keras.layers.Dense(1)
        self.units = units

    def call(self, x):
        state = tf.zeros([tf.shape(x)[0], self.units])
        for t in range(x.shape[1]):
            _, state = self.cell(x[:, t], state)
        return self.out(state)


model = SlowRecurrent(3)
model.compile("sgd", "mse")
prediction = model.predict(np.random.rand(4, 250, 2).astype("float32"), verbose=0)
print(prediction.shape)
