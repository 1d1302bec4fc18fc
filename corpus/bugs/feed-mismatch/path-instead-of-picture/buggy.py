import os
import pickle

import numpy as np
import tensorflow as tf

CATEGORIES = ["Dog", "Cat"]
IMG_SIZE = 50


def save_training_data(path, count=24):
    rng = np.random.RandomState(0)
    X = rng.randint(0, 255, size=(count, IMG_SIZE, IMG_SIZE, 1)).astype("uint8")
    y = np.arange(count) % 2
    with open(path, "wb") as out:
        pickle.dump((X, y), out)


def load_training_data(path):
    with open(path, "rb") as source:
        X, y = pickle.load(source)
    return X / 255.0, np.array(y)


def prepare(filepath):
    """Reads a grey picture of raw bytes and gives it the axes of a batch and of its channel."""
    if os.path.exists(filepath):
        pixels = np.fromfile(filepath, dtype="uint8", count=IMG_SIZE * IMG_SIZE)
    else:
        pixels = np.zeros(IMG_SIZE * IMG_SIZE, dtype="uint8")
    return pixels.reshape(-1, IMG_SIZE, IMG_SIZE, 1) / 255.0


save_training_data("animals.pickle")
X, y = load_training_data("animals.pickle")

model = tf.keras.models.Sequential([
    tf.keras.layers.Input(shape=(IMG_SIZE, IMG_SIZE, 1)),
    tf.keras.layers.Conv2D(8, (3, 3), activation="relu"),
    tf.keras.layers.MaxPooling2D(pool_size=(2, 2)),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(X, y, batch_size=8, epochs=1, validation_split=0.25, verbose=0)

prediction = model.predict(["dog.raw"])
print(CATEGORIES[int(prediction[0][0])])
