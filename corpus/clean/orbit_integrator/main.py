"""Orbits of planets: `tf.while_loop` with shape invariants collects a path that grows, and `tf.cond` picks the step."""
import tensorflow as tf


def acceleration(place):
    distance = tf.norm(place, axis=-1, keepdims=True)
    return -place / distance**3


def leap(place, speed, step):
    half = speed + 0.5 * step * acceleration(place)
    place = place + step * half
    return place, half + 0.5 * step * acceleration(place)


@tf.function
def orbit(place, speed, steps):
    def unfinished(count, *_):
        return count < steps

    def advance(count, place, speed, path):
        close = tf.reduce_min(tf.norm(place, axis=-1)) < 0.8
        step = tf.cond(close, lambda: tf.constant(0.01), lambda: tf.constant(0.05))
        place, speed = leap(place, speed, step)
        return count + 1, place, speed, tf.concat([path, place[tf.newaxis]], axis=0)

    path = place[tf.newaxis]
    grown = tf.TensorShape([None, *place.shape])
    shapes = [tf.TensorShape([]), place.shape, speed.shape, grown]
    return tf.while_loop(unfinished, advance, [0, place, speed, path], shape_invariants=shapes)[3]


def main():
    places = tf.constant([[1.0, 0.0], [1.5, 0.0], [2.0, 0.0]])
    speeds = tf.constant([[0.0, 1.0], [0.0, 0.8], [0.0, 0.7]])
    path = orbit(places, speeds, tf.constant(120))
    print("recorded", path.shape, "farthest", tf.reduce_max(tf.norm(path, axis=-1), axis=0).numpy())


main()
