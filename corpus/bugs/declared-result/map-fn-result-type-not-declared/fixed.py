import tensorflow as tf

signals = tf.random.normal([5, 40], seed=4)


def count_crossings(signal):
    signs = tf.sign(signal)
    return tf.reduce_sum(tf.cast(signs[1:] != signs[:-1], tf.int32))


crossings = tf.map_fn(count_crossings, signals, fn_output_signature=tf.int32)
print(crossings.numpy())
