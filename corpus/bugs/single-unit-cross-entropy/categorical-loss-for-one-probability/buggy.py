import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

x = np.random.rand(64, 10).astype("float32")
y = np.random.randint(0, 2, (64, 1))
model = keras.Sequential([keras.Input((10,)), layers.Dense(16, "relu"), layers.Dense(1, "sigmoid")])
model.compile(optimizer="adam", loss="categorical_crossentropy", metrics=["accuracy"])
print(model.fit(x, y, verbose=0).history["loss"])
