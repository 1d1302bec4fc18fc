import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers


class Recurrent(Model):
    def __init__(self, units):
        super().__init__()
        self.cell = layers.GRUCell(units)
        self.out = layers.Dense(1)
        self.units = units

    def call(self, sequences):
        state = tf.zeros([tf.shape(sequences)[0], self.units])
        for step in tf.transpose(sequences, [1, 0, 2]):
            output, state = self.cell(step, state)
        return self.out(output)


model = Recurrent(7)
model.compile(loss="mse", optimizer="adam")
model.fit(np.random.rand(10, 4, 3), np.random.rand(10, 1), batch_size=5, verbose=0)
print(model.count_params())
