import math

import tensorflow as tf


@tf.function(jit_compile=True)
def log_density(x, mean, covariance):
    offset = x - mean
    log_volume = tf.math.log(tf.linalg.det(covariance))
    solved = tf.linalg.matvec(tf.linalg.inv(covariance), offset)
    return -0.5 * (tf.reduce_sum(offset * solved) + log_volume + 3 * math.log(2 * math.pi))


print(float(log_density(tf.ones([3]), tf.zeros([3]), 2.0 * tf.eye(3))))
