import numpy as np
import keras

inputs = keras.Input((5,))
scores = keras.layers.Dense(4)(inputs)
choice = keras.ops.argmax(scores, axis=1)
actor = keras.Model(inputs, choice)
print(np.shape(actor(np.random.rand(6, 5))))
