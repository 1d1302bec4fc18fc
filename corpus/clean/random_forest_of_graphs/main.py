"""Random numbers that differ in each call: a generator of TensorFlow made once, stateless seeds, NumPy only outside."""
import numpy as np
import tensorflow as tf


class Percolation(tf.Module):
    def __init__(self, side, seed):
        super().__init__()
        self.side = side
        self.random = tf.random.Generator.from_seed(seed)
        self.runs = tf.Variable(0, trainable=False)

    @tf.function
    def sample(self, chance):
        self.runs.assign_add(1)
        return self.random.uniform([self.side, self.side]) < chance

    @tf.function
    def reaches(self, open_cells):
        wet = tf.concat([open_cells[:1], tf.zeros_like(open_cells[1:])], axis=0)
        grows = tf.constant(True)
        while grows:
            near = tf.cast(wet, tf.float32)[tf.newaxis, :, :, tf.newaxis]
            cross = tf.constant([[0.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 1.0, 0.0]])[:, :, tf.newaxis, tf.newaxis]
            spread = tf.nn.conv2d(near, cross, 1, "SAME")[0, :, :, 0] > 0.0
            following = tf.logical_and(spread, open_cells)
            grows = tf.reduce_any(tf.not_equal(following, wet))
            wet = following
        return tf.reduce_any(wet[-1])


def main():
    noise = np.random.default_rng(10)
    chances = np.round(noise.uniform(0.35, 0.85, 4), 2)
    model = Percolation(side=9, seed=3)
    for chance in sorted(chances):
        through = [bool(model.reaches(model.sample(tf.constant(chance, tf.float32)))) for _ in range(12)]
        print(chance, sum(through), "of", len(through))
    assert int(model.runs) == 48


main()
