import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

inputs = keras.Input((16,))
outputs = layers.Activation("sigmoid")(layers.Dense(1)(inputs))
model = keras.Model(inputs, outputs)
model.compile("adam", loss=keras.losses.BinaryCrossentropy())
model.fit(np.random.rand(32, 16), np.random.randint(0, 2, 32), verbose=0)
