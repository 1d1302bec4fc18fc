import math

import tensorflow as tf


@tf.function(jit_compile=True)
def log_density(x, mean, covariance):
    offset = x - mean
    factor = tf.linalg.cholesky(covariance)
    log_volume = 2.0 * tf.reduce_sum(tf.math.log(tf.linalg.diag_part(factor)))
    solved = tf.linalg.cholesky_solve(factor, offset[:, tf.newaxis])[:, 0]
    return -0.5 * (tf.reduce_sum(offset * solved) + log_volume + 3 * math.log(2 * math.pi))


print(float(log_density(tf.ones([3]), tf.zeros([3]), 2.0 * tf.eye(3))))
