import numpy as np
from tensorflow import keras


def class_weights(labels):
    counts = np.bincount(labels)
    return counts.sum() / (len(counts) * counts)


rng = np.random.default_rng(0)
x = rng.random((100, 6))
y = np.arange(100) % 3
x_train, y_train = x[:80], y[:80]
x_val, y_val = x[80:], y[80:]
weights = class_weights(y)[y_train]

model = keras.Sequential([keras.layers.Input((6,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x_train, y_train, sample_weight=weights, validation_data=(x_val, y_val), epochs=1, verbose=0)
