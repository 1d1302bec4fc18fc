import tensorflow as tf


@tf.function
def run_lengths(bits):
    def extend(lengths, bit):
        return tf.maximum(lengths, 0) * bit + bit

    return tf.scan(extend, bits, initializer=tf.constant(0))


print(run_lengths(tf.constant([1, 1, 0, 1, 1, 1])).numpy())
