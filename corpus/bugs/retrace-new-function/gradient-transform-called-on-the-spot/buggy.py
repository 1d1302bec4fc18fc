import tensorflow as tf


def value_and_grad(fn):
    @tf.function
    def wrapped(theta):
        with tf.GradientTape() as tape:
            tape.watch(theta)
            value = fn(theta)
        return value, tape.gradient(value, theta)

    return wrapped


def potential(theta):
    return 0.5 * tf.reduce_sum(theta**2) + tf.reduce_sum(tf.cos(3.0 * theta))


def leapfrog(theta, momentum, size, steps):
    _, slope = value_and_grad(potential)(theta)
    for _ in range(steps):
        momentum = momentum - 0.5 * size * slope
        theta = theta + size * momentum
        _, slope = value_and_grad(potential)(theta)
        momentum = momentum - 0.5 * size * slope
    return theta, momentum


theta = tf.constant([1.0, -0.5, 0.3])
for _ in range(3):
    theta, momentum = leapfrog(theta, tf.random.normal([3]), 0.1, 4)
print(theta.numpy())
