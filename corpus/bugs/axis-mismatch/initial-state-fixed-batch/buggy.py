import numpy as np
import tensorflow as tf

BATCH, UNITS, VOCAB = 10, 16, 30


class Encoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(VOCAB, 8)
        self.gru = tf.keras.layers.GRU(UNITS, return_sequences=True, return_state=True)

    def call(self, x, hidden):
        x = self.embedding(x)
        output, state = self.gru(x, initial_state=hidden)
        return output, state

    def initialize_hidden_state(self, size):
        return tf.zeros((size, UNITS))


tokens = np.random.default_rng(0).integers(0, VOCAB, size=(64, 7))
dataset = tf.data.Dataset.from_tensor_slices(tokens).batch(BATCH)
encoder = Encoder()
hidden = encoder.initialize_hidden_state(BATCH)
for inputs in dataset:
    output, state = encoder(inputs, hidden)
print(state.shape)
