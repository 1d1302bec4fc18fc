import numpy as np
import tensorflow as tf


def positional_encoding(length, depth):
    positions = tf.range(length, dtype=tf.float32)[:, tf.newaxis]
    frequencies = 1.0 / np.power(10000.0, np.arange(0, depth, 2) / depth)
    angles = positions * frequencies
    angles = tf.cast(angles, tf.float32)
    return tf.concat([tf.sin(angles), tf.cos(angles)], axis=-1)


print(positional_encoding(6, 8).numpy().round(2))
