import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

STEPS, WIDTH = 9, 16
tokens = keras.Input((STEPS, WIDTH))
padding = keras.Input((STEPS,))

query = layers.Dense(WIDTH)(tokens)
key = layers.Dense(WIDTH)(tokens)
scores = layers.Dot(axes=2)([query, key])
masked = scores - 1e9 * padding
weights = layers.Softmax()(masked)
context = layers.Dot(axes=(2, 1))([weights, tokens])
model = keras.Model([tokens, padding], context)
print(model.predict([np.random.rand(9, STEPS, WIDTH), np.zeros((9, STEPS))], verbose=0).shape)
