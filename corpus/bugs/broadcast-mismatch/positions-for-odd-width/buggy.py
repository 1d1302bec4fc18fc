import numpy as np
import tensorflow as tf

params = {
    "max_len": 20,
    "d_model": 25,
    "vocab": 50,
    "classes": 3,
}


def positional_encoding(length, depth):
    position = np.arange(length)[:, np.newaxis]
    half = (depth + 1) // 2
    rates = 1.0 / np.power(10000.0, 2 * np.arange(half) / depth)
    angles = position * rates
    table = np.zeros((length, depth))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return tf.cast(table[np.newaxis], tf.float32)


class PositionalEmbedding(tf.keras.layers.Layer):
    def __init__(self, vocab, length, depth):
        super().__init__()
        self.depth = depth
        self.embedding = tf.keras.layers.Embedding(vocab, depth)
        self.encoding = positional_encoding(length, depth)

    def call(self, tokens):
        x = self.embedding(tokens) * tf.math.sqrt(tf.cast(self.depth, tf.float32))
        return x + self.encoding[:, :tf.shape(x)[1], :]


def build(max_len, d_model, vocab, classes):
    tokens = tf.keras.Input((max_len,), dtype=tf.int32)
    x = PositionalEmbedding(vocab, max_len, d_model)(tokens)
    attended = tf.keras.layers.MultiHeadAttention(2, 8)(x, x)
    x = tf.keras.layers.LayerNormalization()(x + attended)
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    return tf.keras.Model(tokens, tf.keras.layers.Dense(classes)(x))


model = build(**params)
tokens = np.random.randint(0, params["vocab"], size=(8, params["max_len"]))
print(model(tokens).shape)
