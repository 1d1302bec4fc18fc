import tensorflow as tf


@tf.function
def integrate(fn, a, b, n):
    h = (b - a) / tf.cast(n, tf.float32)

    def body(i, area):
        area += h * fn(a + (tf.cast(i, tf.float32) + 0.5) * h)
        return area

    return tf.while_loop(lambda i, _: i < n, body, [tf.constant(0), tf.constant(0.0)])[1]


print(float(integrate(tf.sin, tf.constant(0.0), tf.constant(3.14159), tf.constant(50))))
