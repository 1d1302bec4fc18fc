import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers

UNITS = 16
SOURCE_LEN, TARGET_LEN = 9, 7
SOURCE_VOCAB, TARGET_VOCAB = 40, 30


class Encoder(layers.Layer):
    def __init__(self, vocab, dim, units):
        super().__init__()
        self.embedding = layers.Embedding(vocab, dim)
        self.gru = layers.GRU(units, return_sequences=True, return_state=True)

    def call(self, tokens):
        return self.gru(self.embedding(tokens))


class Decoder(layers.Layer):
    def __init__(self, vocab, dim, units):
        super().__init__()
        self.embedding = layers.Embedding(vocab, dim)
        self.gru = layers.GRU(units, return_sequences=True)
        self.out = layers.Dense(vocab)

    def call(self, tokens, state):
        x = self.gru(self.embedding(tokens), initial_state=state)
        return self.out(x)


source = tf.keras.Input((SOURCE_LEN,), dtype="int32")
target = tf.keras.Input((TARGET_LEN,), dtype="int32")
encoded = Encoder(SOURCE_VOCAB, 8, UNITS)(source)
logits = Decoder(TARGET_VOCAB, 8, UNITS)(target, encoded[1])
model = Model([source, target], logits)

loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile(optimizer="adam", loss=loss)
rng = np.random.RandomState(0)
x = rng.randint(0, SOURCE_VOCAB, size=(24, SOURCE_LEN))
y = rng.randint(0, TARGET_VOCAB, size=(24, TARGET_LEN + 1))
model.fit([x, y[:, :-1]], y[:, 1:], batch_size=8, epochs=1, verbose=0)
