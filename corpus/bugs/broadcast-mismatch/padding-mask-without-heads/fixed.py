import tensorflow as tf
def attention(q, k, v, mask):
    scores = tf.matmul(q, k, transpose_b=True) / tf.sqrt(tf.cast(tf.shape(k)[-1], tf.float32))
    scores += mask * -1e9
    return tf.matmul(tf.nn.softmax(scores, axis=-1), v)
def split_heads(x, heads, depth):
    x = tf.reshape(x, (x.shape[0], -1, heads, depth))
    return tf.transpose(x, perm=[0, 2, 1, 3])
q = split_heads(tf.random.normal((4, 10, 64)), 8, 8)
tokens = tf.constant([[1, 2, 3, 0, 0, 0, 0, 0, 0, 0]] * 4)
mask = tf.cast(tf.equal(tokens, 0), tf.float32)[:, tf.newaxis, tf.newaxis, :]
out = attention(q, q, q, mask)
