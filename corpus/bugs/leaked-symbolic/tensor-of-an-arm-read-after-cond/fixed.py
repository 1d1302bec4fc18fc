import tensorflow as tf


@tf.function
def step_or_reset(position, velocity, bounds):
    info = {}

    def bounce():
        return position, -0.8 * velocity, tf.norm(velocity) * 0.8

    def fly():
        return position + 0.1 * velocity, velocity, tf.norm(velocity)

    outside = tf.reduce_any(tf.abs(position) > bounds)
    position, velocity, speed = tf.cond(outside, bounce, fly)
    info["speed"] = speed
    return position, velocity, 0.5 * info["speed"] ** 2


_, _, energy = step_or_reset(tf.zeros([2]), tf.constant([1.0, 2.0]), tf.constant(3.0))
print(float(energy))
