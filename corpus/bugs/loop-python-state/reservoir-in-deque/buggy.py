from collections import deque

import tensorflow as tf


@tf.function
def motion(frames):
    recent = deque(maxlen=2)
    for frame in frames:
        recent.append(tf.image.rgb_to_grayscale(frame))
    return tf.reduce_mean(tf.abs(recent[-1] - recent[0]))


print(float(motion(tf.random.uniform([5, 8, 8, 3], seed=2))))
