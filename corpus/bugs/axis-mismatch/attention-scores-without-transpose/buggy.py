import math

import tensorflow as tf

BATCH, STEPS, WIDTH = 4, 30, 16


def split_projection(x, kernel):
    """One projection for queries, keys and values."""
    joined = tf.einsum("bti,ijk->jbtk", x, kernel)
    return tf.unstack(joined, num=3)


@tf.function
def self_attention(x, kernel):
    queries, keys, values = split_projection(x, kernel)
    depth = queries.shape[-1]
    scores = tf.matmul(queries, keys) / math.sqrt(depth)
    weights = tf.nn.softmax(scores, axis=-1)
    return tf.matmul(weights, values)


kernel = tf.random.normal([WIDTH, 3, WIDTH], stddev=0.2)
sentences = tf.random.normal([BATCH, STEPS, WIDTH])
attended = self_attention(sentences, kernel)
print(attended.shape)
