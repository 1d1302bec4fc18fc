import tensorflow as tf


class SelfAttention(tf.keras.layers.Layer):
    def __init__(self, heads, depth):
        super().__init__()
        self.heads, self.depth = heads, depth
        self.qkv = tf.keras.layers.Dense(3 * heads * depth)

    def split(self, x):
        x = tf.reshape(x, [4, 11, self.heads, self.depth])
        return tf.reshape(x, [4, self.heads, 11, self.depth])

    def call(self, x):
        q, k, v = (self.split(part) for part in tf.split(self.qkv(x), 3, axis=-1))
        weights = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / self.depth**0.5)
        return tf.matmul(weights, v)


print(SelfAttention(2, 5)(tf.random.normal([4, 11, 10])).shape)
