import tensorflow as tf


@tf.function
def first_above(series, threshold):
    for i in tf.range(tf.size(series)):
        if series[i] > threshold:
            return i
    return -1


print(int(first_above(tf.constant([0.1, 0.4, 0.9, 0.2]), tf.constant(0.5))))
