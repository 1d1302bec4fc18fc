import numpy as np
import tensorflow as tf

G = 1.0
masses = tf.constant([5.0, 0.1, 0.2])


def acceleration(positions):
    offsets = positions[tf.newaxis] - positions[:, tf.newaxis]
    distances = np.linalg.norm(offsets, axis=-1) + 0.05
    pull = G * masses[tf.newaxis, :, tf.newaxis] * offsets / distances[..., tf.newaxis] ** 3
    return tf.reduce_sum(pull, axis=1)


@tf.function
def verlet(positions, velocities, dt):
    velocities += 0.5 * dt * acceleration(positions)
    positions += dt * velocities
    velocities += 0.5 * dt * acceleration(positions)
    return positions, velocities


positions = tf.constant([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
velocities = tf.constant([[0.0, 0.0], [0.0, 2.2], [1.5, 0.0]])
for _ in range(5):
    positions, velocities = verlet(positions, velocities, tf.constant(0.01))
print(positions.numpy().round(3))
