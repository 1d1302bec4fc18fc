import math

import tensorflow as tf


@tf.function
def attention(q, k, v, mask=None):
    depth = tf.cast(tf.shape(k)[-1], tf.float32)
    scores = tf.matmul(q, k, transpose_b=True) / tf.sqrt(depth)
    if mask is not None:
        scores += -1e9 * (1.0 - mask)
    return tf.matmul(tf.nn.softmax(scores), v)


q = tf.random.normal([2, 4, 6, 8])
output = attention(q, q, q, tf.linalg.band_part(tf.ones([6, 6]), -1, 0))
print(output.shape)
