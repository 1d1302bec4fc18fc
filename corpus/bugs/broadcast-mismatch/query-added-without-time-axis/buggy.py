import tensorflow as tf
class Attention(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.W1 = tf.keras.layers.Dense(units)
        self.W2 = tf.keras.layers.Dense(units)
        self.V = tf.keras.layers.Dense(1)
    def call(self, query, values):
        score = self.V(tf.nn.tanh(self.W1(query) + self.W2(values)))
        weights = tf.nn.softmax(score, axis=1)
        return tf.reduce_sum(weights * values, axis=1), weights
att = Attention(10)
ctx, w = att(tf.random.normal((64, 1024)), tf.random.normal((64, 16, 512)))
