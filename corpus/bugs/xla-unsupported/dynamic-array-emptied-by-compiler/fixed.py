import tensorflow as tf


@tf.function(jit_compile=True)
def logistic_map(x, steps):
    orbit = tf.TensorArray(tf.float32, size=5)
    for i in tf.range(steps):
        x = 3.7 * x * (1.0 - x)
        orbit = orbit.write(i, x)
    return orbit.stack()


result = logistic_map(tf.constant(0.3), tf.constant(5))
print(result.numpy())
