"""Cross-validation of a regression: each fold has its own variables, and so its own traced step, used many times."""
import numpy as np
import tensorflow as tf


def folds(rows, count):
    order = np.random.default_rng(0).permutation(rows)
    for part in np.array_split(order, count):
        yield np.setdiff1d(order, part), part


def make_step(weights, bias, rate):
    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            error = tf.reduce_mean(tf.square(tf.squeeze(x @ weights, -1) + bias - y))
        slopes = tape.gradient(error, [weights, bias])
        for variable, slope in zip((weights, bias), slopes):
            variable.assign_sub(rate * slope)
        return error

    return step


def main():
    rng = np.random.default_rng(9)
    rain = rng.gamma(2.0, 1.0, (60, 3)).astype("float32")
    harvest = (rain @ np.array([0.5, 1.0, -0.2]) + rng.normal(0, 0.1, 60)).astype("float32")
    scores = {}
    for number, (train, test) in enumerate(folds(60, 4)):
        weights = tf.Variable(tf.zeros([3, 1]), name=f"weights_{number}")
        bias = tf.Variable(0.0)
        step = make_step(weights, bias, 0.05)
        x, y = tf.constant(rain[train]), tf.constant(harvest[train])
        for _ in range(80):
            error = step(x, y)
        guess = tf.squeeze(rain[test] @ weights, -1) + bias
        scores[number] = (float(error), float(tf.reduce_mean(tf.abs(guess - harvest[test]))))
    print({number: tuple(round(part, 3) for part in pair) for number, pair in scores.items()})


main()
