import tensorflow as tf

BATCH, HEADS, QUERIES, KEYS, DEPTH = 6, 4, 9, 11, 8


def scaled_dot(q, k, v, mask=None):
    scores = tf.einsum("bhqd,bhkd->bhqk", q, k) / DEPTH ** 0.5
    if mask is not None:
        scores += (1.0 - mask) * -1e9
    return tf.einsum("bhqk,bhkd->bhqd", tf.nn.softmax(scores), v)


q = tf.random.normal([BATCH, HEADS, QUERIES, DEPTH])
k = tf.random.normal([BATCH, HEADS, KEYS, DEPTH])
v = tf.random.normal([BATCH, HEADS, KEYS, DEPTH])
lengths = tf.constant([11, 7, 3, 9, 10, 2])
mask = tf.sequence_mask(lengths, KEYS, dtype=tf.float32)

print(scaled_dot(q, k, v, mask).shape)
