"""An ensemble of networks: optimizers and functions for each member, gradients that may be missing, options by name."""
import keras
import numpy as np
import tensorflow as tf


class Member:
    def __init__(self, width, with_side_branch):
        self.body = keras.Sequential([keras.Input((2,)), keras.layers.Dense(width, "tanh"), keras.layers.Dense(1)])
        self.side = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
        self.with_side_branch = with_side_branch
        self.optimizer = keras.optimizers.Adam(0.02)
        self.calls = tf.Variable(0, trainable=False)

    @property
    def variables(self):
        return self.body.trainable_variables + self.side.trainable_variables

    def __call__(self, x, noise=0.0):
        guess = self.body(x + noise * tf.random.normal(tf.shape(x)))
        return guess + self.side(x) if self.with_side_branch else guess

    @tf.function
    def train(self, x, y, noise=0.0):
        self.calls.assign_add(1)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x, noise) - y))
        slopes = tape.gradient(loss, self.variables)
        pairs = [(slope, variable) for slope, variable in zip(slopes, self.variables) if slope is not None]
        self.optimizer.apply_gradients(pairs)
        return loss


def main():
    keras.utils.set_random_seed(4)
    x = np.random.default_rng(4).uniform(-1, 1, (64, 2)).astype("float32")
    y = np.sin(3 * x[:, :1]) * x[:, 1:]
    members = [Member(width, side) for width, side in ((4, False), (8, False), (8, True))]
    for member in members:
        for turn in range(30):
            loss = member.train(x, y, noise=0.1 if turn < 20 else 0.0)
        print(member.with_side_branch, int(member.calls), float(loss))
    guesses = tf.stack([member(x) for member in members])
    print(guesses.shape, float(tf.reduce_mean(tf.math.reduce_std(guesses, axis=0))))


main()
