import tensorflow as tf


def height(p):
    p = tf.cast(p, tf.float32)
    return tf.reduce_sum((p - tf.constant([3.0, 1.0])) ** 2)


position = tf.Variable([8.0, -4.0])
for _ in range(10):
    with tf.GradientTape() as tape:
        value = height(position)
    downhill = tape.gradient(value, position)
    position.assign_sub(0.1 * downhill)
print(position.numpy(), float(value))
