"""Dynamic time warping: a table filled row by row with TensorArrays, nested loops of the graph, an eager reference."""
import numpy as np
import tensorflow as tf


def reference(costs):
    rows, columns = costs.shape
    table = np.full((rows + 1, columns + 1), np.inf)
    table[0, 0] = 0.0
    for i in range(rows):
        for j in range(columns):
            table[i + 1, j + 1] = costs[i, j] + min(table[i, j], table[i, j + 1], table[i + 1, j])
    return table[-1, -1]


@tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32)])
def warped(costs):
    rows, columns = tf.unstack(tf.shape(costs))
    above = tf.concat([[0.0], tf.fill([columns], np.inf)], axis=0)
    for i in tf.range(rows):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(above, tf.TensorShape([None]))])
        line = tf.TensorArray(tf.float32, size=columns + 1)
        left = tf.constant(np.inf, tf.float32)
        line = line.write(0, left)
        for j in tf.range(columns):
            best = tf.minimum(tf.minimum(above[j], above[j + 1]), left)
            left = costs[i, j] + best
            line = line.write(j + 1, left)
        above = line.stack()
    return above[-1]


def main():
    rng = np.random.default_rng(3)
    for first, second in ((6, 8), (9, 5)):
        a, b = rng.normal(size=(first, 4)), rng.normal(size=(second, 4))
        costs = np.linalg.norm(a[:, None] - b[None, :], axis=-1).astype("float32")
        found = float(warped(tf.constant(costs)))
        print(first, second, round(found, 3), abs(found - reference(costs)) < 1e-3)


main()
