"""Two encoders share a head that fits only one of them."""

import keras
from keras import layers


def encoder(width):
    return keras.Sequential([keras.Input(shape=(20, 8)), layers.LSTM(width), layers.Dense(width)])


left, right = encoder(32), encoder(64)
sequence = keras.Input(shape=(20, 8))
scores = layers.Add()([left(sequence), right(sequence)])
model = keras.Model(sequence, layers.Dense(1)(scores))
