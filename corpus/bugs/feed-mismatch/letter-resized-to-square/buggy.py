import string

import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Conv2D, Dense, Flatten, InputLayer, MaxPooling2D, Reshape
from tensorflow.keras.models import Sequential

LETTERS = string.ascii_lowercase
ROWS, COLUMNS = 16, 8


class ModelConfig:
    def __init__(self, epochs=1, batch=16):
        self.epochs = epochs
        self.batch = batch

    def build(self):
        model = Sequential([
            InputLayer(input_shape=(ROWS, COLUMNS)),
            Reshape((ROWS, COLUMNS, 1)),
            Conv2D(8, (3, 3), activation="relu", padding="same"),
            MaxPooling2D((2, 2)),
            Flatten(),
            Dense(len(LETTERS), activation="softmax"),
        ])
        model.compile(loss="sparse_categorical_crossentropy", optimizer="adam")
        return model


def training_letters(count):
    rng = np.random.RandomState(16)
    return rng.randint(0, 2, size=(count, ROWS, COLUMNS)).astype("float32"), np.arange(count) % len(LETTERS)


def load_letter(name):
    pixels = np.random.RandomState(len(name)).rand(40, 30, 1)
    small = tf.image.resize(pixels, (16, 16))
    return 1.0 - tf.squeeze(small, axis=-1).numpy()


def predict(model, name):
    x_test = np.expand_dims(load_letter(name), axis=0)
    scores = model.predict(x_test, batch_size=32, verbose=0)
    best = int(np.argmax(scores))
    return LETTERS[best], scores[0, best]


config = ModelConfig()
model = config.build()
x, y = training_letters(52)
model.fit(x, y, epochs=config.epochs, batch_size=config.batch, verbose=0)
print(predict(model, "image0.jpg"))
