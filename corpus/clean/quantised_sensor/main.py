"""A sensor with few levels: rounding passes gradients by an own rule, and unconnected gradients are asked for as zeros."""
import tensorflow as tf


@tf.custom_gradient
def steps(x, levels):
    rounded = tf.round(x * levels) / levels

    def backwards(upstream):
        inside = tf.cast(tf.abs(x) <= 1.0, tf.float32)
        return upstream * inside, tf.zeros_like(levels)

    return rounded, backwards


def straight_through(x):
    return x + tf.stop_gradient(tf.sign(x) - x)


@tf.function
def update(gain, offset, unused, signal, wanted):
    with tf.GradientTape() as tape:
        measured = steps(gain * signal + offset, tf.constant(8.0))
        hard = straight_through(measured)
        loss = tf.reduce_mean((measured - wanted) ** 2) + 0.01 * tf.reduce_mean((hard - tf.sign(wanted)) ** 2)
    slopes = tape.gradient(loss, [gain, offset, unused], unconnected_gradients=tf.UnconnectedGradients.ZERO)
    for variable, slope in zip([gain, offset, unused], slopes):
        variable.assign_sub(0.5 * slope)
    return loss


def main():
    signal = tf.linspace(-0.5, 0.5, 50)
    wanted = 0.6 * signal + 0.1
    gain, offset, unused = tf.Variable(1.0), tf.Variable(0.0), tf.Variable(2.0)
    losses = [float(update(gain, offset, unused, signal, wanted)) for _ in range(20)]
    print(losses[0], "->", losses[-1], gain.numpy(), offset.numpy(), unused.numpy())


main()
