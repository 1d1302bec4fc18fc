"""A small transformer encoder for token classification and whole-text labels, written with subclassed layers."""
import math
from dataclasses import dataclass, field

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


@dataclass
class Config:
    vocab: int = 120
    length: int = 14
    width: int = 24
    heads: int = 4
    ff: int = 48
    depth: int = 2
    tags: int = 6
    labels: int = 3
    dropout: float = 0.1
    pooling: str = "mean"
    extra: dict = field(default_factory=lambda: {"scale": True})

    @property
    def head_width(self):
        assert self.width % self.heads == 0
        return self.width // self.heads


def positions(length, width):
    """Sinusoidal encoding: an intended outer product of positions and rates."""
    place = np.arange(length)[:, np.newaxis]
    rate = 1.0 / np.power(10000.0, (2 * (np.arange(width) // 2)) / np.float32(width))[np.newaxis, :]
    angles = place * rate
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return tf.cast(angles[np.newaxis, ...], tf.float32)


class Attention(layers.Layer):
    def __init__(self, cfg, **kwargs):
        super().__init__(**kwargs)
        self.cfg = cfg
        self.q, self.k, self.v, self.o = (layers.Dense(cfg.width, use_bias=False) for _ in range(4))

    def split(self, x, batch):
        x = tf.reshape(x, (batch, -1, self.cfg.heads, self.cfg.head_width))
        return tf.transpose(x, perm=[0, 2, 1, 3])

    def call(self, x, mask=None):
        batch = tf.shape(x)[0]
        q, k, v = (self.split(layer(x), batch) for layer in (self.q, self.k, self.v))
        # batch and heads become one axis, as a plain batched product needs it
        steps = x.shape[1]
        flat_q = tf.reshape(q, [-1, steps, self.cfg.head_width])
        flat_k = tf.reshape(k, [-1, steps, self.cfg.head_width])
        scores = tf.matmul(flat_q, flat_k, transpose_b=True)
        scores = tf.reshape(scores, [-1, self.cfg.heads, steps, steps])
        if self.cfg.extra.get("scale"):
            scores = scores / math.sqrt(self.cfg.head_width)
        if mask is not None:
            scores += (1.0 - tf.cast(mask[:, None, None, :], tf.float32)) * -1e9
        weights = tf.nn.softmax(scores, axis=-1)
        mixed = tf.transpose(tf.matmul(weights, v), [0, 2, 1, 3])
        return self.o(tf.reshape(mixed, (batch, -1, self.cfg.width)))


class Block(layers.Layer):
    def __init__(self, cfg, **kwargs):
        super().__init__(**kwargs)
        self.attention = Attention(cfg)
        self.norms = [layers.LayerNormalization(epsilon=1e-6) for _ in range(2)]
        self.up = layers.Dense(cfg.ff, activation="gelu")
        self.down = layers.Dense(cfg.width)
        self.drop = layers.Dropout(cfg.dropout)

    def call(self, x, mask=None, training=False):
        first, second = self.norms
        x = x + self.drop(self.attention(first(x), mask=mask), training=training)
        return x + self.drop(self.down(self.up(second(x))), training=training)


class Encoder(tf.keras.Model):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.embed = layers.Embedding(cfg.vocab, cfg.width)
        self.where = positions(cfg.length, cfg.width)
        self.blocks = [Block(cfg, name=f"block_{i}") for i in range(cfg.depth)]
        self.tag_head = layers.Dense(cfg.tags)
        self.label_head = layers.Dense(cfg.labels)

    def pool(self, x, mask):
        if self.cfg.pooling == "first":
            return x[:, 0]
        weight = tf.cast(mask, tf.float32)[..., tf.newaxis]
        if self.cfg.pooling == "mean":
            return tf.reduce_sum(x * weight, axis=1) / tf.maximum(tf.reduce_sum(weight, axis=1), 1.0)
        return tf.reduce_max(x - (1.0 - weight) * 1e9, axis=1)

    def call(self, tokens, training=False):
        mask = tf.not_equal(tokens, 0)
        x = self.embed(tokens) * math.sqrt(self.cfg.width)
        x += self.where[:, :tf.shape(tokens)[1], :]
        for block in self.blocks:
            x = block(x, mask=mask, training=training)
        return {"tags": self.tag_head(x), "label": self.label_head(self.pool(x, mask))}


def tag_loss(tags, logits):
    """Every position counts as one example: batch and time are merged on purpose."""
    flat = tf.reshape(logits, [-1, logits.shape[-1]])
    wanted = tf.reshape(tags, [-1])
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=wanted, logits=flat)
    return tf.reduce_mean(losses)


def main():
    tf.random.set_seed(1)
    rng = np.random.default_rng(1)
    cfg = Config()
    tokens = rng.integers(1, cfg.vocab, size=(26, cfg.length)).astype("int32")
    for row, length in enumerate(rng.integers(4, cfg.length + 1, size=26)):
        tokens[row, length:] = 0
    tags = (tokens % cfg.tags).astype("int32")
    labels = (tokens.sum(axis=1) % cfg.labels).astype("int32")

    data = tf.data.Dataset.from_tensor_slices((tokens, tags, labels)).batch(8)
    for pooling in ("mean", "first", "max"):
        model = Encoder(Config(pooling=pooling))
        optimizer = tf.keras.optimizers.Adam(1e-3)
        for x, y_tags, y_label in data:
            with tf.GradientTape() as tape:
                out = model(x, training=True)
                text = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y_label, logits=out["label"])
                loss = tag_loss(y_tags, out["tags"]) + tf.reduce_mean(text)
            optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
        print(pooling, float(loss), tf.argmax(out["tags"], axis=-1).shape)


if __name__ == "__main__":
    main()
