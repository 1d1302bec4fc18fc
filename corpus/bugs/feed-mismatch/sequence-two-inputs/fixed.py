import keras
import numpy as np


class PairSequence(keras.utils.Sequence):
    def __init__(self, images, boxes, labels, batch_size=8, shuffle=True):
        super().__init__()
        self.images, self.boxes, self.labels = images, boxes, labels
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.on_epoch_end()

    def __len__(self):
        return int(np.floor(len(self.images) / self.batch_size))

    def on_epoch_end(self):
        self.indexes = np.arange(len(self.images))
        if self.shuffle:
            np.random.shuffle(self.indexes)

    def __getitem__(self, index):
        indexes = self.indexes[index * self.batch_size:(index + 1) * self.batch_size]
        return self.__data_generation(indexes)

    def __data_generation(self, indexes):
        X = np.empty((self.batch_size, 24, 24, 1))
        B = np.empty((self.batch_size, 4))
        y = np.empty((self.batch_size,), dtype=int)
        for i, k in enumerate(indexes):
            X[i], B[i], y[i] = self.images[k], self.boxes[k], self.labels[k]
        return (X, B), y


rng = np.random.default_rng(0)
data = PairSequence(rng.random((32, 24, 24, 1)), rng.random((32, 4)), rng.integers(0, 2, 32))
image = keras.Input((24, 24, 1))
box = keras.Input((4,))
features = keras.layers.GlobalAveragePooling2D()(keras.layers.Conv2D(8, 3)(image))
merged = keras.layers.Concatenate()([features, box])
model = keras.Model([image, box], keras.layers.Dense(1, activation="sigmoid")(merged))
model.compile("adam", "binary_crossentropy")
model.fit(data, epochs=1, verbose=0)
