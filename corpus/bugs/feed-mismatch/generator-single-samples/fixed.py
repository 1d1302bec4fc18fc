import random

import numpy as np
from tensorflow import keras


class Recordings:
    def __init__(self, count, steps=50, channels=6):
        rng = np.random.default_rng(1)
        self.signals = rng.normal(size=(count, steps, channels)).astype("float32")
        self.labels = rng.integers(0, 4, size=count)

    def __len__(self):
        return len(self.labels)


def one_hot(label, classes=4):
    encoded = np.zeros(classes)
    encoded[label] = 1.0
    return encoded


def sample_generator(recordings):
    order = list(range(len(recordings)))
    while True:
        random.shuffle(order)
        for i in order:
            signal = recordings.signals[i]
            target = one_hot(recordings.labels[i])
            yield signal[np.newaxis], target[np.newaxis]


data = Recordings(20)
model = keras.Sequential([
    keras.layers.Conv1D(16, 5, activation="relu", input_shape=(50, 6)),
    keras.layers.GlobalMaxPooling1D(),
    keras.layers.Dense(4, activation="softmax"),
])
model.compile(loss="categorical_crossentropy", optimizer="adam")
model.fit(sample_generator(data), steps_per_epoch=5, epochs=1, verbose=0)
