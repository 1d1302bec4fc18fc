import numpy as np
from tensorflow import keras


class DataGenerator(keras.utils.Sequence):
    """Generates data for Keras."""

    def __init__(self, list_IDs, labels, batch_size=4, dim=(16, 16), n_channels=1, n_classes=3, shuffle=True):
        self.dim = dim
        self.batch_size = batch_size
        self.labels = labels
        self.list_IDs = list_IDs
        self.n_channels = n_channels
        self.n_classes = n_classes
        self.shuffle = shuffle
        self.on_epoch_end()

    def __len__(self):
        return int(np.floor(len(self.list_IDs) / self.batch_size))

    def __getitem__(self, index):
        indexes = self.indexes[index * self.batch_size:(index + 1) * self.batch_size]
        list_IDs_temp = [self.list_IDs[k] for k in indexes]
        X, y = self.__data_generation(list_IDs_temp)
        return X, y

    def on_epoch_end(self):
        self.indexes = np.arange(len(self.list_IDs))
        if self.shuffle:
            np.random.shuffle(self.indexes)

    def __data_generation(self, list_IDs_temp):
        X = np.empty((self.batch_size, *self.dim, self.n_channels))
        y = np.empty((self.batch_size), dtype=int)
        for i, ID in enumerate(list_IDs_temp):
            X[i,] = np.full((*self.dim, self.n_channels), ID)
            y[i] = self.labels[ID]
        return X, keras.utils.to_categorical(y, num_classes=self.n_classes)


params = {"dim": (32, 32), "batch_size": 4, "n_classes": 3, "n_channels": 1, "shuffle": True}
ids = list(range(24))
labels = {i: i % 3 for i in ids}
training_generator = DataGenerator(ids, labels, **params)
model = keras.models.Sequential()
model.add(keras.layers.Conv2D(8, 3, activation="relu", input_shape=(32, 32, 1)))
model.add(keras.layers.Flatten())
model.add(keras.layers.Dense(3, activation="softmax"))
model.compile(loss="categorical_crossentropy", optimizer="adam")
model.fit(training_generator, epochs=1, verbose=0)
