"""Waves on a string: `autograph=False` with explicit loops, functions that are not converted, options given by position."""
import tensorflow as tf


@tf.autograph.experimental.do_not_convert
def boundary(kind):
    if kind == "fixed":
        return lambda field: tf.pad(field[1:-1], [[1, 1]])
    if kind == "free":
        return lambda field: tf.concat([field[1:2], field[1:-1], field[-2:-1]], axis=0)
    raise KeyError(kind)


def laplace(field):
    kernel = tf.constant([1.0, -2.0, 1.0])[:, tf.newaxis, tf.newaxis]
    return tf.nn.conv1d(field[tf.newaxis, :, tf.newaxis], kernel, 1, "SAME")[0, :, 0]


def simulate(start, steps, kind, speed=0.4):
    clamp = boundary(kind)

    def unfinished(step, before, now, energy):
        return tf.logical_and(step < steps, energy < 1e6)

    def advance(step, before, now, energy):
        after = clamp(2.0 * now - before + speed**2 * laplace(now))
        return step + 1, now, after, tf.reduce_sum(tf.square(after - now))

    state = (tf.constant(0), start, start, tf.constant(0.0))
    step, _, field, energy = tf.while_loop(unfinished, advance, state, maximum_iterations=500)
    quiet = tf.cond(energy < 1e-3, lambda: tf.constant(True), lambda: tf.constant(False))
    return field, step, quiet


fast = tf.function(simulate, autograph=False, reduce_retracing=True)


def main():
    start = tf.exp(-((tf.linspace(-4.0, 4.0, 64)) ** 2))
    for kind in ("fixed", "free"):
        for steps in (50, 100):
            field, step, quiet = fast(start, tf.constant(steps), kind)
            print(kind, int(step), bool(quiet), float(tf.reduce_max(tf.abs(field))))
    slow, _, _ = simulate(start, tf.constant(20), "fixed")
    print(float(tf.reduce_max(tf.abs(slow - fast(start, tf.constant(20), "fixed")[0]))) < 1e-5)


main()
