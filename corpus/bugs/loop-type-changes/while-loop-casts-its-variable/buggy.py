import tensorflow as tf


@tf.function
def halvings(number):
    def body(value, count):
        return tf.cast(value, tf.float32) / 2.0, count + 1

    _, count = tf.while_loop(lambda value, _: value > 1, body, [number, tf.constant(0)])
    return count


print(int(halvings(tf.constant(1000))))
