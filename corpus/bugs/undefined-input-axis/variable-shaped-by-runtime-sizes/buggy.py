import math

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


class Bottleneck:
    """Projects features to the square root of their number."""

    def __init__(self, features, name):
        with tf.variable_scope(name):
            width = tf.cast(tf.shape(features)[1], tf.float32)
            narrow = tf.cast(tf.sqrt(width), tf.int32)
            shape = tf.stack([tf.shape(features)[1], narrow])
            start = tf.truncated_normal(shape, stddev=0.1, name="start")
            self.kernel = tf.Variable(start, name="kernel")
            self.output = tf.nn.tanh(tf.matmul(features, self.kernel))


measurements = tf.placeholder(tf.float32, [None, None])
block = Bottleneck(measurements, "squeeze")
print(block.kernel.get_shape())

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    out = sess.run(block.output, {measurements: np.ones((4, 36))})
    print(out.shape)
