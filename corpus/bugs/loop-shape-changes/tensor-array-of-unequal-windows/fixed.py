import tensorflow as tf


@tf.function
def prefixes(signal):
    length = tf.shape(signal)[0]
    windows = tf.TensorArray(tf.float32, size=length, infer_shape=False)
    for i in tf.range(length):
        prefix = signal[: i + 1]
        prefix = tf.pad(prefix, [[length - i - 1, 0]])
        windows = windows.write(i, prefix)
    return windows.stack()


print(prefixes(tf.constant([0.5, 1.0, -1.0, 2.0])))
