import tensorflow as tf


@tf.function
def bisect(low, high):
    done = tf.constant(False)
    while not done:
        middle = 0.5 * (low + high)
        if tf.cos(middle) - middle > 0:
            low = middle
        else:
            high = middle
        done = high - low < 1e-4
    return middle


print(float(bisect(tf.constant(0.0), tf.constant(1.5))))
