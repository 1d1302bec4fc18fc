import random

import tensorflow as tf

WINDOW = 16


def random_window(series):
    length = tf.shape(series)[0]
    start = tf.random.uniform([], 0, length - WINDOW + 1, tf.int32)
    return series[start : start + WINDOW]


def generator():
    for length in (20, 31, 44):
        yield [float(i) for i in range(length)]


series = tf.data.Dataset.from_generator(generator, output_signature=tf.TensorSpec([None], tf.float32))
windows = series.map(random_window).batch(3)
print(next(iter(windows)).shape)
