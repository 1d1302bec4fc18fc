import tensorflow as tf


def causal_mask(steps):
    full = tf.ones(steps, steps)
    return full


for length in (2, 3):
    print(causal_mask(length))
