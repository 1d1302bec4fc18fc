import tensorflow as tf


class Polynomial(tf.Module):
    def __init__(self, degree):
        self.degree = degree

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32)])
    def expand(self, table):
        blocks = []
        positions = tf.range(tf.cast(tf.shape(table)[1], tf.float32)) + 1.0
        powers = tf.range(1.0, self.degree + 1.0)
        blocks.append(tf.pow(table[:, :, None], powers) / positions[:, None])
        return tf.reshape(tf.concat(blocks, axis=1), [tf.shape(table)[0], -1])


polynomial = Polynomial(3.0)
print(polynomial.expand(tf.random.uniform([4, 2])).shape)
