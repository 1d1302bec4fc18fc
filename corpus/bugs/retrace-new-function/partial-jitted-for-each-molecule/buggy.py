from functools import partial

import tensorflow as tf


def lennard_jones(positions, epsilon, sigma):
    offset = positions[:, None] - positions[None]
    squared = tf.reduce_sum(offset**2, axis=-1) + tf.eye(tf.shape(positions)[0]) * 1e6
    ratio = (sigma**2 / squared) ** 3
    return 2.0 * epsilon * tf.reduce_sum(ratio**2 - ratio)


molecules = [tf.random.normal([6, 3], seed=i) * 2.0 for i in range(8)]
energies = []
for positions in molecules:
    energy = tf.function(partial(lennard_jones, epsilon=0.2, sigma=1.1), jit_compile=True)
    energies.append(energy(positions))
print(tf.stack(energies).numpy().round(2))
