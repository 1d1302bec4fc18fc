import numpy as np
import tensorflow as tf


class Regression(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.zeros([3, 1]))

    @tf.function(input_signature=[tf.TensorSpec([None, 3]), tf.TensorSpec([None, 1])])
    def loss(self, x, y):
        return tf.reduce_mean(tf.square(x @ self.w - y))


table = np.random.rand(20, 4)
rows = tf.constant(table[:, :3])
targets = tf.constant(table[:, 3:])
model = Regression()
print(float(model.loss(rows, targets)))
