"""Character language model: tf.data windows, an LSTM with carried state, sampling with temperature."""
import itertools
import sys

import numpy as np
import tensorflow as tf

if sys.version_info >= (3, 9):
    Pairs = list[tuple[str, int]]
else:
    from typing import List, Tuple

    Pairs = List[Tuple[str, int]]

TEXT = " ".join(
    f"{a} {b} met {c} near the {d}."
    for a, b, c, d in itertools.product(("two", "ten"), ("cats", "dogs"), ("owls", "mice"), ("lake", "road"))
)
SEQ = 20
BATCH = 4
UNITS = 32


class Vocabulary:
    def __init__(self, text):
        self.symbols = sorted(set(text))
        self.ids = {symbol: number for number, symbol in enumerate(self.symbols)}

    def __len__(self):
        return len(self.symbols)

    def encode(self, text):
        return np.array([self.ids[s] for s in text], dtype=np.int32)

    def decode(self, numbers):
        return "".join(self.symbols[int(n)] for n in numbers)


def windows(codes, seq, batch):
    """Pairs of a window and the same window one step later."""
    data = tf.data.Dataset.from_tensor_slices(codes).batch(seq + 1, drop_remainder=True)
    data = data.map(lambda chunk: (chunk[:-1], chunk[1:]))
    return data.shuffle(100, seed=0).batch(batch, drop_remainder=True)


class CharModel(tf.keras.Model):
    def __init__(self, symbols, units=UNITS, cells=("lstm", "gru")):
        super().__init__()
        self.table = tf.keras.layers.Embedding(symbols, 16)
        self.cells = []
        for cell in cells:
            kind = {"lstm": tf.keras.layers.LSTM, "gru": tf.keras.layers.GRU}[cell]
            self.cells.append(kind(units, return_sequences=True, return_state=True))
        self.head = tf.keras.layers.Dense(symbols)

    def call(self, codes, states=None, return_state=False, training=False):
        x = self.table(codes)
        states = states or [None] * len(self.cells)
        after = []
        for cell, state in zip(self.cells, states):
            x, *state = cell(x, initial_state=state, training=training)
            after.append(state if len(state) > 1 else state[0])
        logits = self.head(x)
        return (logits, after) if return_state else logits


def sequence_loss(targets, logits):
    """Counts every character: (batch, time) against (batch, time, symbols)."""
    losses = tf.keras.losses.sparse_categorical_crossentropy(targets, logits, from_logits=True)
    weights = tf.ones_like(losses)
    return tf.reduce_sum(losses * weights) / tf.reduce_sum(weights)


def flat_accuracy(targets, logits):
    symbols = logits.shape[-1]
    guess = tf.argmax(tf.reshape(logits, (-1, symbols)), axis=1, output_type=tf.int32)
    return tf.reduce_mean(tf.cast(guess == tf.reshape(targets, [-1]), tf.float32))


def sample(model, vocabulary, seed, count, temperature=0.7):
    codes = tf.expand_dims(vocabulary.encode(seed), 0)
    states, out = None, []
    for _ in range(count):
        logits, states = model(codes, states=states, return_state=True)
        last = logits[:, -1] / temperature
        codes = tf.random.categorical(last, num_samples=1, dtype=tf.int32)
        out.append(int(codes[0, 0]))
    return seed + vocabulary.decode(out)


def perplexity_table(model, codes, lengths):
    """Perplexity of prefixes; rows that are too short are left out by a mask."""
    logits = model(codes[None, :-1])
    losses = tf.keras.losses.sparse_categorical_crossentropy(codes[None, 1:], logits, from_logits=True)
    steps = tf.range(tf.shape(losses)[1])
    keep = tf.cast(steps[None, :] < tf.constant(lengths)[:, None], tf.float32)
    return tf.exp(tf.reduce_sum(losses * keep, axis=1) / tf.reduce_sum(keep, axis=1)).numpy()


def main():
    tf.keras.utils.set_random_seed(5)
    vocabulary = Vocabulary(TEXT)
    codes = vocabulary.encode(TEXT)
    model = CharModel(len(vocabulary))
    optimizer = tf.keras.optimizers.Adam(0.01)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            logits = model(x, training=True)
            loss = sequence_loss(y, logits)
        gradients, _ = tf.clip_by_global_norm(tape.gradient(loss, model.trainable_variables), 1.0)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss, flat_accuracy(y, logits)

    for epoch in range(2):
        results: Pairs = []
        for x, y in windows(codes, SEQ, BATCH):
            loss, accuracy = step(x, y)
            results.append((f"{float(accuracy):.2f}", int(100 * loss)))
        print(epoch, results[-1])
    print(sample(model, vocabulary, "two ", 12))
    print(perplexity_table(model, codes[:31], [5, 12, 30]).round(1))


main()
