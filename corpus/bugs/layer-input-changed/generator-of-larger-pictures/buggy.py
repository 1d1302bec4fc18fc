import math

import keras
import numpy as np
from keras import layers

IMG_SIZE = 64
BATCH_SIZE = 8
CLASS_NAMES = ["glass", "metal", "paper", "plastic"]


class WasteSequence(keras.utils.PyDataset):
    """Batches of photos of waste; the files are read when a batch is asked for."""

    def __init__(self, records, batch_size, image_size=(128, 128), **kwargs):
        super().__init__(**kwargs)
        self.records = records
        self.batch_size = batch_size
        self.image_size = image_size

    def __len__(self):
        return math.ceil(len(self.records) / self.batch_size)

    def _read(self, record):
        seed, _ = record
        rng = np.random.default_rng(seed)
        return rng.uniform(0, 255, size=self.image_size + (3,))

    def __getitem__(self, index):
        chosen = self.records[index * self.batch_size:(index + 1) * self.batch_size]
        images = np.stack([self._read(record) for record in chosen]).astype("float32") / 255.0
        labels = keras.utils.to_categorical([label for _, label in chosen], len(CLASS_NAMES))
        return images, labels


def build_classifier(learning_rate=1e-3):
    model = keras.Sequential(name="waste")
    model.add(layers.Input(shape=(IMG_SIZE, IMG_SIZE, 3)))
    for filters in (8, 16):
        model.add(layers.Conv2D(filters, (3, 3), padding="same", activation="relu"))
        model.add(layers.MaxPooling2D((2, 2)))
    model.add(layers.Flatten())
    model.add(layers.Dense(32, activation="relu"))
    model.add(layers.Dropout(0.5))
    model.add(layers.Dense(len(CLASS_NAMES), activation="softmax"))
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate),
        loss="categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


records = [(i, i % len(CLASS_NAMES)) for i in range(40)]
train_seq = WasteSequence(records[:32], BATCH_SIZE)
val_seq = WasteSequence(records[32:], BATCH_SIZE)

model = build_classifier()
model.summary()
history = model.fit(train_seq, validation_data=val_seq, epochs=1, verbose=0)
print(history.history)
