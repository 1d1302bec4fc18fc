import keras
import numpy as np
import tensorflow as tf

MAX_LEN, VOCAB = 10, 25


def masked_loss(y_true, y_pred):
    losses = keras.losses.sparse_categorical_crossentropy(y_true, y_pred, from_logits=True)
    mask = tf.cast(tf.not_equal(y_true, 0), losses.dtype)
    losses = losses * mask[:, 1:]
    return tf.reduce_sum(losses) / tf.reduce_sum(mask)


class Tagger(keras.Model):
    def __init__(self, units=16):
        super().__init__()
        self.embed = keras.layers.Embedding(VOCAB, 8)
        self.rnn = keras.layers.GRU(units, return_sequences=True)
        self.out = keras.layers.Dense(VOCAB)

    def call(self, tokens):
        return self.out(self.rnn(self.embed(tokens)))


rng = np.random.default_rng(0)
tokens = rng.integers(1, VOCAB, size=(30, MAX_LEN))
tags = rng.integers(0, VOCAB, size=(30, MAX_LEN))
model = Tagger()
optimizer = keras.optimizers.Adam()
for start in range(0, 30, 10):
    bx, by = tokens[start:start + 10], tags[start:start + 10]
    with tf.GradientTape() as tape:
        loss = masked_loss(by, model(bx))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
