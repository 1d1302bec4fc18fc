import tensorflow as tf


@tf.function
def gradient_penalty(real, fake, weight):
    penalty = tf.constant(0.0)
    if weight > 0.0:
        mix = tf.random.uniform([tf.shape(real)[0], 1])
        between = mix * real + (1.0 - mix) * fake
        penalty = weight * tf.reduce_mean((tf.norm(between, axis=1) - 1.0) ** 2)
    loss = tf.reduce_mean(fake) - tf.reduce_mean(real)
    return loss + penalty


print(float(gradient_penalty(tf.random.normal([8, 3]), tf.random.normal([8, 3]), tf.constant(10.0))))
