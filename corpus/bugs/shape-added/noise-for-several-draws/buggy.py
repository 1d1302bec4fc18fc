import tensorflow as tf


class NoisyEncoder(tf.keras.layers.Layer):
    """Codes, and the largest noise in several draws of it."""

    def __init__(self, units, draws):
        super().__init__()
        self.dense = tf.keras.layers.Dense(units)
        self.draws = draws

    def call(self, inputs):
        code = self.dense(inputs)
        noise = tf.random.normal((self.draws,) + tf.shape(code), stddev=0.1)
        return code, tf.reduce_max(tf.abs(noise))


encoder = NoisyEncoder(units=6, draws=10)


@tf.function(input_signature=[tf.TensorSpec((None, 12))])
def encode(batch):
    code, largest = encoder(batch)
    return tf.reduce_mean(tf.square(code)) + largest


print(encode(tf.ones((1, 12))))
