import numpy as np
import tensorflow as tf


def median_filter(values):
    padded = np.pad(values, 1, mode="edge")
    return np.median(np.stack([padded[:-2], padded[1:-1], padded[2:]]), axis=0).astype(np.float32)


@tf.function(jit_compile=True)
def clean(series):
    smooth = tf.numpy_function(median_filter, [series], tf.float32)
    return tf.reshape(smooth, tf.shape(series)) - tf.reduce_mean(series)


print(clean(tf.constant([1.0, 9.0, 2.0, 3.0, 2.5])).numpy())
