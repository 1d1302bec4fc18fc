import tensorflow as tf

transition = tf.constant([[0.1, 0.9], [0.6, 0.4]])


@tf.function(jit_compile=True)
def most_likely_path(start, steps):
    path = start
    while tf.size(path) < steps:
        tf.autograph.experimental.set_loop_options(shape_invariants=[(path, tf.TensorShape([None]))])
        following = tf.argmax(tf.gather(transition, path[-1]), output_type=tf.int32)
        path = tf.concat([path, [following]], axis=0)
    return path


print(most_likely_path(tf.constant([0]), tf.constant(6)).numpy())
