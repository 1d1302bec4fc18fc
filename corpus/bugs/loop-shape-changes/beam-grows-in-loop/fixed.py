import tensorflow as tf


@tf.function
def decode(start, steps):
    sequence = tf.reshape(start, [1])
    for _ in tf.range(steps):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(sequence, tf.TensorShape([None]))])
        following = (sequence[-1] * 3 + 1) % 17
        sequence = tf.concat([sequence, [following]], axis=0)
    return sequence


print(decode(tf.constant(2), tf.constant(6)))
