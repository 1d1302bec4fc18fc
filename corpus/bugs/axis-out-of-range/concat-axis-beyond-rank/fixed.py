import tensorflow as tf


def summarise(window):
    """Mean and deviation per sensor of a (time, sensor) window."""
    mean = tf.reduce_mean(window, axis=0, keepdims=True)
    spread = tf.math.reduce_std(window, axis=0, keepdims=True)
    return tf.concat([mean, spread], axis=1)


windows = [tf.random.normal([50, 12]) for _ in range(3)]
features = [summarise(w) for w in windows]
table = tf.concat(features, axis=0)
for row in table:
    print(float(tf.reduce_max(row)))
