import tensorflow as tf


def huber(residual):
    size = tf.abs(residual)
    return tf.where(size <= 1.0, 0.5 * size**2, size - 0.5)


residuals = tf.constant([0.3, -2.0, 1.7, -0.1, 0.9])
penalties = tf.vectorized_map(huber, residuals)
print(penalties.numpy())
