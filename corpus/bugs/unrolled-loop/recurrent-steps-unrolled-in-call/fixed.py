import numpy as np
import tensorflow as tf
from tensorflow import keras


class SlowRecurrent(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.rnn = keras.layers.RNN(keras.layers.SimpleRNNCell(units), unroll=False)
        self.out = keras.layers.Dense(1)
        self.units = units

    def call(self, x):
        return self.out(self.rnn(x))


model = SlowRecurrent(3)
model.compile("sgd", "mse")
prediction = model.predict(np.random.rand(4, 250, 2).astype("float32"), verbose=0)
print(prediction.shape)
