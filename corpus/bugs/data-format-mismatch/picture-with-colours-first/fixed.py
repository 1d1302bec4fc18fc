import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential()
model.add(keras.Input((48, 48, 3)))
model.add(layers.Conv2D(8, 3, activation="relu"))
model.add(layers.GlobalAveragePooling2D())
model.add(layers.Dense(4, activation="softmax"))
print(model.predict(np.random.rand(2, 48, 48, 3), verbose=0).shape)
