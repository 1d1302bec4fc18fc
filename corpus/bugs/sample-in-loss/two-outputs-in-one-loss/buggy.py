"""A network that cleans the record of a sensor and tells how noisy it was."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import Input, Model, layers

STEPS = 120
WEIGHT = 0.2


def cleaned_and_rated(y_true, y_pred):
    clean = tf.reduce_mean(tf.square(y_true[0] - y_pred[0]))
    rated = tf.reduce_mean(tf.abs(y_true[1] - y_pred[1]))
    return clean + WEIGHT * rated


def cleaner():
    record = Input((STEPS, 1))
    hidden = layers.Conv1D(12, 7, padding="same", activation="relu")(record)
    clean = layers.Conv1D(1, 7, padding="same", name="clean")(hidden)
    noise = layers.Dense(1, name="noise")(layers.GlobalAveragePooling1D()(hidden))
    return Model(record, [clean, noise])


def records(count):
    angles = np.linspace(0, 9, STEPS) + np.random.rand(count, 1)
    level = np.random.rand(count, 1)
    clean = np.sin(angles)
    return (clean + level * np.random.randn(count, STEPS))[..., None], clean[..., None], level


noisy, clean, level = records(64)
model = cleaner()
model.compile(optimizer="adam", loss=cleaned_and_rated)
model.fit(noisy, [clean, level], epochs=2, batch_size=16, verbose=0)
