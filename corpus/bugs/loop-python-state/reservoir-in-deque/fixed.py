from collections import deque

import tensorflow as tf


@tf.function
def motion(frames):
    grey = tf.image.rgb_to_grayscale(frames)
    return tf.reduce_mean(tf.abs(grey[-1] - grey[-2]))


print(float(motion(tf.random.uniform([5, 8, 8, 3], seed=2))))
