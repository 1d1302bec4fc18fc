import numpy as np
from tensorflow import keras


def within_tolerance(y_true, y_pred):
    return np.mean(np.abs(y_true - y_pred) < 0.5)


model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
model.compile("adam", "mae", metrics=[within_tolerance])
x = np.random.rand(32, 3)
y = x.sum(axis=1, keepdims=True)
history = model.fit(x, y, epochs=2, batch_size=16, verbose=0)
print(sorted(history.history))
