import numpy as np
import tensorflow as tf


@tf.function
def surrogate(ratio, advantage, limit):
    clipped = tf.clip_by_value(ratio, 1 - limit, 1 + limit)
    return -tf.reduce_mean(tf.minimum(ratio * advantage, clipped * advantage))


ratio = tf.exp(tf.random.normal([64], stddev=0.1))
advantage = tf.random.normal([64])
print(float(surrogate(ratio, advantage, 0.2)))
