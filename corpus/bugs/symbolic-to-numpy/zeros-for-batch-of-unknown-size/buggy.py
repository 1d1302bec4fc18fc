import numpy as np
import tensorflow as tf
from tensorflow import keras


class Seq2Seq(keras.Model):
    def __init__(self, units, width):
        super().__init__()
        self.units = units
        self.cell = keras.layers.LSTMCell(units)
        self.project = keras.layers.Dense(width)

    def call(self, source):
        count = tf.shape(source)[0]
        state = [np.zeros((count, self.units), "float32"), np.zeros((count, self.units), "float32")]
        outputs = []
        for step in range(source.shape[1]):
            output, state = self.cell(source[:, step], state)
            outputs.append(self.project(output))
        return tf.stack(outputs, axis=1)


model = Seq2Seq(6, 2)
model.compile("adam", "mse")
model.fit(np.random.rand(12, 5, 3), np.random.rand(12, 5, 2), batch_size=4, verbose=0)
print(model.count_params())
