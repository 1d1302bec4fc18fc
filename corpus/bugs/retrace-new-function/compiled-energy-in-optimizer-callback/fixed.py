import numpy as np
import tensorflow as tf

points = tf.constant(np.random.default_rng(0).normal(size=(12, 2)))


def stress(flat):
    layout = tf.reshape(flat, [12, 2])
    gaps = tf.norm(layout[:, None] - layout[None] + 1e-6, axis=-1)
    wanted = tf.norm(points[:, None] - points[None] + 1e-6, axis=-1)
    return tf.reduce_sum((gaps - wanted) ** 2)


@tf.function
def differentiate(flat):
    with tf.GradientTape() as tape:
        tape.watch(flat)
        value = stress(flat)
    return value, tape.gradient(value, flat)


def objective(flat):
    flat = tf.constant(flat)

    value, gradient = differentiate(flat)
    return value.numpy(), gradient.numpy()


guess = np.random.default_rng(1).normal(size=24)
for iteration in range(10):
    value, gradient = objective(guess)
    guess = guess - 0.005 * gradient
print("stress", value)
