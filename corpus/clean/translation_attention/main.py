"""Sequence to sequence with additive attention: reversing digit strings, teacher forcing, greedy decoding."""
from __future__ import annotations

import numpy as np
import tensorflow as tf

PAD, START, END = 0, 1, 2
FIRST = 3


class Task:
    """Source: some digits. Target: the same digits backwards, between start and end marks."""

    def __init__(self, digits: int = 6, longest: int = 7, seed: int = 0):
        self.vocab = digits + FIRST
        self.longest = longest
        self._rng = np.random.default_rng(seed)

    def batch(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        source = np.full((count, self.longest), PAD, dtype=np.int32)
        target = np.full((count, self.longest + 2), PAD, dtype=np.int32)
        target[:, 0] = START
        for row in range(count):
            n = self._rng.integers(2, self.longest + 1)
            word = self._rng.integers(FIRST, self.vocab, size=n)
            source[row, :n] = word
            target[row, 1:n + 1] = word[::-1]
            target[row, n + 1] = END
        return source, target

    def __iter__(self):
        while True:
            yield self.batch(12)


class Encoder(tf.keras.layers.Layer):
    def __init__(self, vocab, width, units):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(vocab, width)
        self.rnn = tf.keras.layers.Bidirectional(
            tf.keras.layers.GRU(units, return_sequences=True, return_state=True), merge_mode="concat")
        self.bridge = tf.keras.layers.Dense(units, activation="tanh")

    def call(self, tokens):
        outputs, forward, backward = self.rnn(self.embedding(tokens))
        return outputs, self.bridge(tf.concat([forward, backward], axis=-1))


class AdditiveAttention(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.query = tf.keras.layers.Dense(units, use_bias=False)
        self.memory = tf.keras.layers.Dense(units, use_bias=False)
        self.score = tf.keras.layers.Dense(1)

    def call(self, state, memory, mask):
        # (batch, 1, units) + (batch, time, units)
        joint = tf.nn.tanh(self.query(state)[:, None] + self.memory(memory))
        score = tf.squeeze(self.score(joint), axis=-1)
        score = tf.where(mask, score, tf.fill(tf.shape(score), -1e9))
        weights = tf.nn.softmax(score, axis=-1)
        context = tf.squeeze(tf.matmul(weights[:, None, :], memory), axis=1)
        return context, weights


class Decoder(tf.keras.layers.Layer):
    def __init__(self, vocab, width, units):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(vocab, width)
        self.attention = AdditiveAttention(units)
        self.cell = tf.keras.layers.GRUCell(units)
        self.words = tf.keras.layers.Dense(vocab)

    def call(self, token, state, memory, mask):
        context, weights = self.attention(state, memory, mask)
        x = tf.concat([self.embedding(token), context], axis=1)
        x, (state,) = self.cell(x, [state])
        return self.words(tf.concat([x, context], axis=1)), state, weights


class Translator(tf.keras.Model):
    def __init__(self, vocab, width=12, units=20):
        super().__init__()
        self.encoder = Encoder(vocab, width, units)
        self.decoder = Decoder(vocab, width, units)

    def call(self, inputs):
        source, target = inputs
        memory, state = self.encoder(source)
        mask = source != PAD
        logits = []
        for t in range(target.shape[1] - 1):
            step, state, _ = self.decoder(target[:, t], state, memory, mask)
            logits.append(step)
        return tf.stack(logits, axis=1)

    def greedy(self, source, limit):
        memory, state = self.encoder(source)
        mask = source != PAD
        count = source.shape[0]
        token = tf.fill([count], START)
        done = tf.zeros([count], tf.bool)
        words, maps = [], []
        for _ in range(limit):
            logits, state, weights = self.decoder(token, state, memory, mask)
            token = tf.where(done, PAD, tf.argmax(logits, axis=-1, output_type=tf.int32))
            done = done | (token == END)
            words.append(token)
            maps.append(weights)
            if tf.reduce_all(done):
                break
        return tf.transpose(tf.stack(words)), tf.stack(maps, axis=1)


def masked_loss(target, logits):
    wanted = target[:, 1:]
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=wanted, logits=logits)
    weights = tf.cast(tf.not_equal(wanted, PAD), losses.dtype)
    return tf.reduce_sum(losses * weights) / tf.reduce_sum(weights)


def train(task, steps):
    model = Translator(task.vocab)
    optimizer = tf.keras.optimizers.Adam(0.01)

    @tf.function(reduce_retracing=True)
    def update(source, target):
        with tf.GradientTape() as tape:
            loss = masked_loss(target, model((source, target)))
        gradients = tape.gradient(loss, model.trainable_variables)
        gradients, norm = tf.clip_by_global_norm(gradients, 2.0)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss, norm

    for step, (source, target) in zip(range(steps), task):
        loss, norm = update(tf.constant(source), tf.constant(target))
    print(f"after {steps} steps: loss {loss:.3f}, gradient {norm:.3f}")
    return model


if __name__ == "__main__":
    tf.random.set_seed(9)
    for digits, longest in [(4, 5), (8, 6)]:
        task = Task(digits, longest)
        model = train(task, steps=6)
        source, target = task.batch(5)
        words, maps = model.greedy(tf.constant(source), limit=longest + 1)
        right = words.numpy() == target[:, 1:1 + words.shape[1]]
        print(words.shape, maps.shape, right.mean(), maps.numpy().sum(axis=-1).round(3).min())
