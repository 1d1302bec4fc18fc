import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


class DataGenerator(keras.utils.Sequence):
    """Pictures and masks by name."""

    def __init__(self, ids, batch_size=4, dim=(32, 32), n_channels=3, shuffle=True):
        self.ids = ids
        self.batch_size = batch_size
        self.dim = dim
        self.n_channels = n_channels
        self.shuffle = shuffle
        self.on_epoch_end()

    def __len__(self):
        return len(self.ids) // self.batch_size

    def __getitem__(self, index):
        rows = self.order[index * self.batch_size:(index + 1) * self.batch_size]
        return self.read([self.ids[k] for k in rows])

    def on_epoch_end(self):
        self.order = np.arange(len(self.ids))
        if self.shuffle:
            np.random.shuffle(self.order)

    def read(self, ids):
        X = np.empty((self.batch_size, *self.dim, self.n_channels), dtype="float32")
        y = np.empty((self.batch_size, *self.dim), dtype="float32")
        for i, name in enumerate(ids):
            rng = np.random.RandomState(name)
            X[i] = rng.rand(*self.dim, self.n_channels)
            y[i] = X[i].mean(axis=-1) > 0.5
        return X[:, :, :, np.newaxis], y[:, :, :, np.newaxis]


def small_unet():
    inputs = keras.Input((None, None, 3))
    c1 = layers.Conv2D(4, 3, padding="same", activation="relu")(inputs)
    p1 = layers.MaxPooling2D()(c1)
    c2 = layers.Conv2D(8, 3, padding="same", activation="relu")(p1)
    u1 = layers.concatenate([layers.UpSampling2D()(c2), c1])
    return keras.Model(inputs, layers.Conv2D(1, 1, activation="sigmoid")(u1))


model = small_unet()
model.compile("adam", "binary_crossentropy")
train, valid = DataGenerator(range(16)), DataGenerator(range(16, 24), shuffle=False)
model.fit(train, validation_data=valid, epochs=1, verbose=0)
