import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Concatenate, Dense, Flatten, Input, Softmax
from tensorflow.keras.models import Model

CANDIDATES = 3
FEATURES = 6


def make_races(count, rng):
    """For each race the features of three runners, and who came first."""
    runners = rng.normal(size=(count, CANDIDATES, FEATURES)).astype("float32")
    strength = runners[:, :, 0] - 0.5 * runners[:, :, 1]
    return runners, tf.keras.utils.to_categorical(strength.argmax(axis=1), CANDIDATES)


def score_network():
    one = Input(shape=(1, FEATURES))
    x = Dense(8, activation="relu")(one)
    x = Dense(1)(x)
    return Model(one, x, name="score")


def ranking_network():
    race = Input(shape=(CANDIDATES, FEATURES))
    score = score_network()
    pieces = tf.split(race, num_or_size_splits=CANDIDATES, axis=1)
    scores = [score(piece) for piece in pieces]
    x = Concatenate()(scores)
    x = Flatten()(x)
    x = Softmax()(x)
    return Model(race, x, name="ranking")


rng = np.random.RandomState(0)
train_x, train_y = make_races(64, rng)
valid_x, valid_y = make_races(16, rng)
model = ranking_network()
model.compile(optimizer="adam", loss="categorical_crossentropy", metrics=["accuracy"])
model.fit(train_x, train_y, batch_size=16, epochs=1, verbose=0,
          validation_data=(valid_x, valid_y))
