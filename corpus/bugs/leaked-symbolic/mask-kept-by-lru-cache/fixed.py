import functools

import tensorflow as tf


@functools.lru_cache(maxsize=None)
def causal_mask(n):
    return tf.linalg.band_part(tf.ones([n, n]), -1, 0)


@tf.function
def masked_scores(q, k):
    scores = tf.matmul(q, k, transpose_b=True)
    n = 12
    mask = tf.linalg.band_part(tf.ones([n, n]), -1, 0)
    return scores * mask - 1e9 * (1.0 - mask)


@tf.function
def attention(q, k, v):
    return tf.matmul(tf.nn.softmax(masked_scores(q, k)), v)


q = tf.random.normal([2, 12, 4])
print(attention(q, q, q).shape)
print(causal_mask(12) * 2.0)
