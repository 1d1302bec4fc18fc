"""Directional derivatives of a lens: forward accumulators, tapes that pause or are reset, the same tape used in turns."""
import tensorflow as tf


def focus(radii, index=1.5):
    inverse = (index - 1.0) * (1.0 / radii[0] - 1.0 / radii[1])
    return 1.0 / inverse


def forward(radii, direction):
    with tf.autodiff.ForwardAccumulator(primals=radii, tangents=direction) as accumulator:
        length = focus(radii)
    return accumulator.jvp(length)


def paused(radii):
    with tf.GradientTape() as tape:
        tape.watch(radii)
        length = focus(radii)
        with tape.stop_recording():
            scale = tf.abs(focus(radii * 1.01))
        loss = (length / scale - 1.2) ** 2
    return tape.gradient(loss, radii)


def restarted(radii):
    with tf.GradientTape() as tape:
        tape.watch(radii)
        length = focus(radii)
        if not tf.math.is_finite(length):
            tape.reset()
            tape.watch(radii)
            length = tf.reduce_sum(radii)
    return tape.gradient(length, radii)


@tf.function
def design(radii, goal, turns):
    velocity = tf.zeros_like(radii)
    for _ in tf.range(turns):
        with tf.GradientTape() as tape:
            tape.watch(radii)
            miss = tf.square(focus(radii) - goal) + 0.01 * tf.reduce_sum(tf.square(radii))
        velocity = 0.8 * velocity - 0.01 * tape.gradient(miss, radii)
        radii = radii + velocity
    return radii


def main():
    radii = tf.constant([3.0, -4.0])
    slope = restarted(radii)
    for direction in (tf.constant([1.0, 0.0]), tf.constant([0.0, 1.0])):
        print(float(forward(radii, direction)), float(tf.tensordot(slope, direction, 1)))
    print(paused(radii).numpy(), focus(design(radii, 3.0, tf.constant(40))).numpy())


main()
