import numpy as np
import keras
from keras import layers, ops

features = keras.Input((4,))
confidence = keras.Input(())
hidden = layers.Dense(4, activation="relu")(features)
scaled = ops.multiply(hidden, ops.expand_dims(confidence, -1))
model = keras.Model([features, confidence], layers.Dense(2)(scaled))
print(model.predict([np.random.rand(4, 4), np.random.rand(4)], verbose=0).shape)
