import keras
import numpy as np
from keras import layers


class AttentionDecoder(layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.w1 = layers.Dense(units)
        self.w2 = layers.Dense(units)
        self.v = layers.Dense(1)

    def call(self, query, values):
        score = self.v(keras.ops.tanh(self.w1(query[:, None, :]) + self.w2(values)))
        weights = keras.ops.softmax(score, axis=1)
        return keras.ops.sum(weights * values, axis=1)


UNITS = 16
tokens = keras.Input((12,), dtype="int32")
embedded = layers.Embedding(50, 8)(tokens)
encoded = layers.Bidirectional(layers.LSTM(UNITS, return_sequences=True))(embedded)
state = layers.GlobalMaxPooling1D()(encoded)
query = layers.Dense(UNITS)(state)
context = AttentionDecoder(UNITS)(query, encoded)
combined = layers.Add()([context, query])
model = keras.Model(tokens, layers.Dense(4, activation="softmax")(combined))
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(np.zeros((8, 12)), np.zeros(8), epochs=1, verbose=0)
