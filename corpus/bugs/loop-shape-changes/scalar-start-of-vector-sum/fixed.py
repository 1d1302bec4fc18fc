import tensorflow as tf


@tf.function
def matrix_exponential_action(matrix, vector, terms):
    term = vector
    total = tf.zeros_like(vector)
    for k in tf.range(1, terms + 1):
        total += term
        term = tf.linalg.matvec(matrix, term) / tf.cast(k, tf.float32)
    return total


rotation = tf.constant([[0.0, -1.0], [1.0, 0.0]])
print(matrix_exponential_action(rotation, tf.constant([1.0, 0.0]), tf.constant(12)).numpy())
