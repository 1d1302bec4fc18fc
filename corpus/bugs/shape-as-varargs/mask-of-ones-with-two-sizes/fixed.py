import tensorflow as tf


def causal_mask(steps):
    full = tf.linalg.band_part(tf.ones([steps, steps]), -1, 0)
    return full


for length in (2, 3):
    print(causal_mask(length))
