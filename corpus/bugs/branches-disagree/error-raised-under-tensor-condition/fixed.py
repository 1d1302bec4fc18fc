import tensorflow as tf


@tf.function
def invert(matrix):
    determinant = tf.linalg.det(matrix)
    tf.debugging.assert_greater(tf.abs(determinant), 1e-8, "singular matrix")
    return tf.linalg.inv(matrix)


print(invert(tf.constant([[2.0, 1.0], [0.0, 4.0]])).numpy())
