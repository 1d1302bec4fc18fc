import numpy as np
import keras
from keras import layers, ops

frames = keras.Input((40, 13))
turned = ops.reshape(frames, (-1, 13, 40))
encoded = layers.Conv1D(8, 3, activation="relu")(turned)
model = keras.Model(frames, layers.GlobalMaxPooling1D()(encoded))
print(model.predict(np.random.rand(3, 40, 13), verbose=0).shape)
