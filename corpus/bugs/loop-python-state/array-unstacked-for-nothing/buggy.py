import tensorflow as tf


@tf.function
def reverse_steps(sequence):
    steps = tf.shape(sequence)[0]
    source = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    source.unstack(sequence)
    target = tf.TensorArray(tf.float32, size=steps)
    for t in tf.range(steps):
        target = target.write(t, source.read(steps - 1 - t))
    return target.stack()


print(reverse_steps(tf.reshape(tf.range(6.0), [3, 2])).numpy())
