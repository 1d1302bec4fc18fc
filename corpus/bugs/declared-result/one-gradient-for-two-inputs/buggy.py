import tensorflow as tf


@tf.custom_gradient
def clipped_product(a, b):
    def backward(upstream):
        return tf.clip_by_norm(upstream * b, 1.0)

    return a * b, backward


a, b = tf.Variable([3.0, 4.0]), tf.Variable([10.0, -2.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(clipped_product(a, b))
print(tape.gradient(loss, a))
