import tensorflow as tf


@tf.function
def pairwise_cosine(matrix):
    rows = [tf.math.l2_normalize(row, axis=0) for row in tf.unstack(matrix)]
    return tf.tensordot(tf.stack(rows), tf.stack(rows), axes=[[1], [1]])


documents = tf.random.normal([5, 12], seed=0)
print(tf.linalg.diag_part(pairwise_cosine(documents)).numpy())
