import tensorflow as tf


def huber(residual):
    size = tf.abs(residual)
    if size <= 1.0:
        return 0.5 * size**2
    return size - 0.5


residuals = tf.constant([0.3, -2.0, 1.7, -0.1, 0.9])
penalties = tf.vectorized_map(huber, residuals)
print(penalties.numpy())
