import numpy as np
import tensorflow as tf
from tensorflow import keras

REVIEWS = np.array(
    [
        "a long evening well spent",
        "nothing happens for two hours",
        "the second half saves it",
        "i left before the end",
    ]
)
LIKED = np.array([1, 0, 1, 0])
WORDS, LENGTH = 1000, 12

vectorize = keras.layers.TextVectorization(WORDS, output_sequence_length=LENGTH)
vectorize.adapt(REVIEWS)


def classifier():
    text = keras.Input(shape=(1,), dtype=tf.string)
    numbers = vectorize(text)
    scaled = keras.layers.Rescaling(1.0 / WORDS)(numbers)
    hidden = keras.layers.Dense(16, activation="relu")(scaled)
    liked = keras.layers.Dense(1, activation="sigmoid")(hidden)
    return keras.Model(text, liked)


batches = tf.data.Dataset.from_tensor_slices((REVIEWS[:, None], LIKED)).batch(2)
model = classifier()
model.compile(loss="binary_crossentropy", optimizer="nadam", metrics=["accuracy"])
model.fit(batches, epochs=1, verbose=0)
