import keras
import numpy as np


class Attention(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.score = keras.Sequential([keras.layers.Dense(units, activation="tanh"), keras.layers.Dense(1)])

    def call(self, steps):
        weights = keras.ops.softmax(self.score(steps), axis=1)
        return keras.ops.sum(weights * steps, axis=1)

    def compute_output_shape(self, input_shape):
        return input_shape


text = keras.Input((12,), dtype="int32")
context = Attention(16)(keras.layers.LSTM(24, return_sequences=True)(keras.layers.Embedding(90, 8)(text)))
mood = keras.layers.Dense(1, activation="sigmoid")(keras.layers.Flatten()(context))
model = keras.Model(text, mood)
model.compile(optimizer="adam", loss="binary_crossentropy")
words = np.random.default_rng(0).integers(0, 90, size=(64, 12))
model.fit(words, np.ones((64, 1)), batch_size=16, verbose=0)
