import tensorflow as tf

transition = tf.constant([[0.1, 0.9], [0.6, 0.4]])


@tf.function(jit_compile=True)
def most_likely_path(start, steps):
    path = tf.TensorArray(tf.int32, size=6).write(0, start[0])
    current = start[0]
    for i in tf.range(1, steps):
        current = tf.argmax(tf.gather(transition, current), output_type=tf.int32)
        path = path.write(i, current)
    return path.stack()


print(most_likely_path(tf.constant([0]), tf.constant(6)).numpy())
