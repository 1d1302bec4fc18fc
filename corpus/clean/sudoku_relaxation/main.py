"""A puzzle as an optimisation: shapes known when traced, assertions on them, Python loops over rows, columns and boxes."""
import itertools

import numpy as np
import tensorflow as tf

SIZE, BOX = 4, 2
GIVEN = {(0, 0): 1, (0, 1): 2, (1, 2): 1, (2, 1): 1, (3, 3): 4}


def units():
    for at in range(SIZE):
        yield [(at, column) for column in range(SIZE)]
        yield [(row, at) for row in range(SIZE)]
    for top, left in itertools.product(range(0, SIZE, BOX), repeat=2):
        yield [(top + down, left + right) for down in range(BOX) for right in range(BOX)]


@tf.function
def penalty(scores):
    assert scores.shape == (SIZE, SIZE, SIZE), scores.shape
    odds = tf.nn.softmax(scores, axis=-1)
    total = tf.constant(0.0)
    for unit in units():
        cells = tf.gather_nd(odds, np.array(unit))
        total += tf.reduce_sum(tf.square(tf.reduce_sum(cells, axis=0) - 1.0))
    for (row, column), digit in GIVEN.items():
        total += -tf.math.log(odds[row, column, digit - 1] + 1e-6)
    entropy = -tf.reduce_sum(odds * tf.math.log(odds + 1e-9))
    return total + 0.1 * entropy


@tf.function
def improve(scores, velocity, rate):
    with tf.GradientTape() as tape:
        value = penalty(scores)
    velocity.assign(0.9 * velocity - rate * tape.gradient(value, scores))
    scores.assign_add(velocity)
    return value


def main():
    scores = tf.Variable(tf.random.stateless_normal([SIZE, SIZE, SIZE], [1, 2]))
    velocity = tf.Variable(tf.zeros_like(scores), trainable=False)
    for round_ in range(60):
        value = improve(scores, velocity, tf.constant(0.2))
        if round_ % 20 == 0 and not np.isfinite(value):
            raise FloatingPointError("the penalty overflowed")
    print(float(value))
    print(np.argmax(scores.numpy(), axis=-1) + 1)


main()
