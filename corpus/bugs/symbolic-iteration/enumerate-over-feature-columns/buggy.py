import tensorflow as tf


class Polynomial(tf.Module):
    def __init__(self, degree):
        self.degree = degree

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32)])
    def expand(self, table):
        blocks = []
        for position, column in enumerate(tf.transpose(table)):
            blocks.append(tf.pow(column[:, None], tf.range(1.0, self.degree + 1.0)) / (position + 1.0))
        return tf.concat(blocks, axis=1)


polynomial = Polynomial(3.0)
print(polynomial.expand(tf.random.uniform([4, 2])).shape)
