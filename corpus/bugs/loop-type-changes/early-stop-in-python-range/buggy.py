import tensorflow as tf


@tf.function
def dominant_eigenvalue(matrix, tolerance):
    vector = tf.ones([matrix.shape[0]])
    value = tf.constant(0.0)
    for _ in range(100):
        product = tf.linalg.matvec(matrix, vector)
        previous, value = value, tf.norm(product)
        vector = product / value
        if tf.abs(value - previous) < tolerance:
            break
    return value


matrix = tf.constant([[2.0, 1.0], [1.0, 3.0]])
print(float(dominant_eigenvalue(matrix, tf.constant(1e-5))))
