import tensorflow as tf


@tf.function
def control(position, target, gain):
    error = target - position
    if tf.reduce_all(tf.abs(error) < 0.05):
        command = tf.zeros_like(error)
    else:
        command = tf.clip_by_value(gain * error, -1.0, 1.0)
    return command


position = tf.zeros([3])
target = tf.constant([0.4, -0.2, 0.9])
for _ in range(20):
    position += 0.1 * control(position, target, tf.constant(2.0))
print(position.numpy().round(2))
