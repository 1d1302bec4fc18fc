import numpy as np
import keras
from keras import ops


class Gate(keras.layers.Layer):
    def __init__(self, experts):
        super().__init__()
        self.score = keras.layers.Dense(experts)

    def call(self, x):
        return ops.softmax(self.score(x), axis=-2)


inputs = keras.Input((7,))
model = keras.Model(inputs, Gate(4)(inputs))
print(model.predict(np.random.rand(5, 7), verbose=0).sum(axis=1))
