import tensorflow as tf

WIDTH = 6


@tf.function
def simulate(particles, steps):
    for step in tf.range(steps):
        tf.autograph.experimental.set_loop_options(
            shape_invariants=[(particles, tf.TensorShape([None, WIDTH]))]
        )
        drift = 0.1 * tf.random.normal(tf.shape(particles))
        survivors = tf.norm(particles, axis=1) < 4.0
        particles = tf.boolean_mask(particles + drift, survivors)
    return particles


print(simulate(tf.random.normal([30, 4], seed=1), tf.constant(5)).shape[1])
