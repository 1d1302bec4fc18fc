import math

import keras
import numpy as np


class Batches(keras.utils.PyDataset):
    """Batches of spectrograms with their speakers."""

    def __init__(self, spectrograms, speakers, batch_size, num_speakers, **kwargs):
        super().__init__(**kwargs)
        self.x, self.y = spectrograms, speakers
        self.batch_size = batch_size
        self.num_speakers = num_speakers

    def __len__(self):
        return math.ceil(len(self.x) / self.batch_size)

    def __getitem__(self, idx):
        low = idx * self.batch_size
        high = min(low + self.batch_size, len(self.x))
        batch_x = self.x[low:high]
        batch_y = self.y[low:high]
        return batch_x[..., np.newaxis], keras.utils.to_categorical(batch_y, self.num_speakers)


NUM_SPEAKERS = 7
rng = np.random.default_rng(0)
x = rng.random((30, 32, 20)).astype("float32")
y = rng.integers(0, NUM_SPEAKERS, 30)
train = Batches(x[:24], y[:24], 8, NUM_SPEAKERS)
valid = Batches(x[24:], y[24:], 8, NUM_SPEAKERS)

inputs = keras.Input((32, 20, 1))
h = keras.layers.Conv2D(8, 3, activation="relu")(inputs)
h = keras.layers.GlobalAveragePooling2D()(h)
outputs = keras.layers.Dense(NUM_SPEAKERS, activation="softmax")(h)
model = keras.Model(inputs, outputs)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(train, validation_data=valid, epochs=1, verbose=0)
