import tensorflow as tf


def mean(values):
    rows = tf.shape(values)[0]
    return tf.reduce_sum(tf.cast(values, tf.float32), axis=0) * (1.0 / 2) - tf.cast(rows, tf.float32)


print(mean(tf.random.uniform([2, 4])).numpy())
