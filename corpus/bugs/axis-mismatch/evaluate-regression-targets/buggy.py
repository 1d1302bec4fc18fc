import keras
import numpy as np


def split(data, ratio=0.8):
    cut = int(len(data) * ratio)
    return data[:cut], data[cut:]


rng = np.random.default_rng(0)
features = rng.normal(size=(150, 7))
targets = features.sum(axis=1, keepdims=True)
x_train, x_test = split(features)
y_train, y_test = split(targets)
model = keras.Sequential([keras.Input((7,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1)])
model.compile(optimizer="rmsprop", loss="mse", metrics=["mae"])
model.fit(x_train, y_train, epochs=1, batch_size=16, verbose=0)
loss, mae = model.evaluate(x_test, targets, verbose=0)
print(loss, mae)
