import numpy as np
import tensorflow as tf
from tensorflow import keras


class Forecaster(keras.Model):
    def __init__(self, units, horizon):
        super().__init__()
        self.units, self.horizon = units, horizon
        self.cell = keras.layers.GRUCell(units)
        self.out = keras.layers.Dense(1)

    def call(self, history):
        state = tf.zeros([tf.shape(history)[0], self.units])
        for t in range(history.shape[1]):
            _, state = self.cell(history[:, t], state)
        forecast = []
        for _ in range(self.horizon):
            value = self.out(state)
            forecast.append(value)
            _, state = self.cell(value, state)
        return tf.concat(forecast, axis=1)


model = Forecaster(8, 3)
model.compile("adam", "mse")
model.fit(np.random.rand(10, 6, 1), np.random.rand(10, 3), batch_size=4, verbose=0)
