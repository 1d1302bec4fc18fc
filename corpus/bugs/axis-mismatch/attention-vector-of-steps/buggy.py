import numpy as np
import keras
from keras import activations, initializers, layers, ops

WORDS, LENGTH = 500, 30


class Attention(layers.Layer):
    """The sum of the steps, weighted by how well each matches a learned vector."""

    def __init__(self, activation="tanh", initializer="glorot_uniform", **keywords):
        super().__init__(**keywords)
        self.activation = activations.get(activation)
        self.initializer = initializers.get(initializer)

    def build(self, input_shape):
        steps, width = input_shape[1], input_shape[2]
        self.kernel = self.add_weight(shape=(width, width), initializer=self.initializer, name="kernel")
        self.wanted = self.add_weight(shape=(steps, 1), initializer=self.initializer, name="wanted")

    def call(self, sequence):
        seen = self.activation(ops.matmul(sequence, self.kernel))
        scores = ops.squeeze(ops.matmul(seen, self.wanted), -1)
        weights = ops.softmax(scores, axis=-1)
        return ops.sum(sequence * ops.expand_dims(weights, -1), axis=1)


text = keras.Input((LENGTH,))
sequence = layers.Embedding(WORDS, 24)(text)
sequence = layers.Bidirectional(layers.LSTM(20, return_sequences=True))(sequence)
liked = layers.Dense(1, activation="sigmoid")(Attention()(sequence))
model = keras.Model(text, liked)
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(np.zeros((16, LENGTH)), np.zeros(16), epochs=1, verbose=0)
