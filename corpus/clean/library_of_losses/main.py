"""Losses of the program's own in `fit`: static Python choices, sample weights, regularisers, metrics that keep state."""
import keras
import numpy as np
import tensorflow as tf


def huber_like(width, symmetric=True):
    def loss(wanted, guessed):
        gap = guessed - tf.cast(wanted, guessed.dtype)
        if not symmetric:
            gap = tf.where(gap > 0, 2.0 * gap, gap)
        small = tf.abs(gap) <= width
        return tf.reduce_mean(tf.where(small, 0.5 * gap**2, width * (tf.abs(gap) - 0.5 * width)), axis=-1)

    return loss


class WithinReach(keras.metrics.Metric):
    def __init__(self, reach, **options):
        super().__init__(**options)
        self.reach = reach
        self.good = self.add_weight(name="good", initializer="zeros")
        self.total = self.add_weight(name="total", initializer="zeros")

    def update_state(self, wanted, guessed, sample_weight=None):
        good = tf.cast(tf.abs(tf.cast(wanted, guessed.dtype) - guessed) < self.reach, tf.float32)
        if sample_weight is not None:
            good = good * tf.reshape(tf.cast(sample_weight, tf.float32), [-1, 1])
        self.good.assign_add(tf.reduce_sum(good))
        self.total.assign_add(tf.cast(tf.size(good), tf.float32))

    def result(self):
        return self.good / tf.maximum(self.total, 1.0)

    def reset_state(self):
        for variable in (self.good, self.total):
            variable.assign(0.0)


class Rescaled(keras.layers.Layer):
    def call(self, inputs, training=None):
        if training:
            inputs = inputs * tf.random.uniform([tf.shape(inputs)[0], 1], 0.9, 1.1)
        if inputs.shape[-1] == 1:
            return inputs
        self.add_loss(1e-3 * tf.reduce_mean(tf.square(inputs)))
        return inputs / inputs.shape[-1]


def main():
    keras.utils.set_random_seed(7)
    x = np.random.default_rng(7).normal(size=(80, 4)).astype("float32")
    y = np.abs(x).sum(axis=1, keepdims=True)
    for symmetric in (True, False):
        model = keras.Sequential([keras.Input((4,)), Rescaled(), keras.layers.Dense(8, "relu"), keras.layers.Dense(1)])
        model.compile("adam", huber_like(0.5, symmetric), metrics=[WithinReach(1.0)], weighted_metrics=[])
        history = model.fit(x, y, sample_weight=np.ones(80), epochs=2, batch_size=20, verbose=0)
        print(symmetric, {name: round(values[-1], 3) for name, values in history.history.items()})


main()
