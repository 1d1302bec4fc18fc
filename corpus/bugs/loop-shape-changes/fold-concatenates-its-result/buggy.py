import tensorflow as tf


@tf.function
def run_lengths(bits):
    def extend(lengths, bit):
        return tf.concat([lengths, [lengths[-1] * bit + bit]], axis=0)

    return tf.foldl(extend, bits, initializer=tf.constant([0]))


print(run_lengths(tf.constant([1, 1, 0, 1, 1, 1])).numpy())
