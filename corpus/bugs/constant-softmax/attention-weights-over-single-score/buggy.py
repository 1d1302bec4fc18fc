import tensorflow as tf


class AdditiveAttention(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.w = tf.keras.layers.Dense(units)
        self.v = tf.keras.layers.Dense(1)

    def call(self, states):
        score = self.v(tf.nn.tanh(self.w(states)))
        weights = tf.nn.softmax(score, axis=-1)
        return tf.reduce_sum(weights * states, axis=1)


tokens = tf.keras.Input((25, 40))
context = AdditiveAttention(16)(tokens)
verdict = tf.keras.layers.Dense(2, activation="softmax")(context)
model = tf.keras.Model(tokens, verdict)
print(model(tf.random.normal([3, 25, 40])).shape)
