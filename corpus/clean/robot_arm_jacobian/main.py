"""The reach of an arm: Jacobians of a traced function, tensors that are watched, second derivatives by nested tapes."""
import numpy as np
import tensorflow as tf

LENGTHS = tf.constant([1.0, 0.7, 0.4])


@tf.function
def hand(angles):
    total = tf.cumsum(angles, axis=-1)
    return tf.stack([tf.reduce_sum(LENGTHS * tf.cos(total), -1), tf.reduce_sum(LENGTHS * tf.sin(total), -1)], axis=-1)


@tf.function
def towards(angles, goal):
    with tf.GradientTape() as tape:
        tape.watch(angles)
        place = hand(angles)
    matrix = tape.jacobian(place, angles)
    missing = (goal - place)[:, tf.newaxis]
    damped = matrix @ tf.transpose(matrix) + 0.01 * tf.eye(2)
    return angles + tf.squeeze(tf.transpose(matrix) @ tf.linalg.solve(damped, missing), axis=1)


def curvature(angles):
    with tf.GradientTape() as outer:
        outer.watch(angles)
        with tf.GradientTape() as inner:
            inner.watch(angles)
            height = hand(angles)[1]
        slope = inner.gradient(height, angles)
    return outer.jacobian(slope, angles)


def batch_slopes(poses):
    with tf.GradientTape() as tape:
        tape.watch(poses)
        places = hand(poses)
    return tape.batch_jacobian(places, poses)


def main():
    angles, goal = tf.constant([0.3, 0.4, 0.5]), tf.constant([0.8, 1.2])
    for _ in range(12):
        angles = towards(angles, goal)
    print("distance", float(tf.norm(hand(angles) - goal)))
    matrix = curvature(angles)
    print(np.allclose(matrix, tf.transpose(matrix), atol=1e-5), batch_slopes(tf.random.normal([5, 3])).shape)


main()
