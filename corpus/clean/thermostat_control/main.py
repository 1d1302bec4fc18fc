"""Heating of rooms: tensor branches whose sides agree, early return on both sides, `break` in a loop of the graph."""
import tensorflow as tf


@tf.function
def power(room, wanted, limit):
    missing = wanted - room
    if missing > 0.5:
        strength = missing * 2.0
        mode = tf.constant("heat")
    elif missing < -0.5:
        strength = -missing
        mode = tf.constant("cool")
    else:
        strength = tf.constant(0.0)
        mode = tf.constant("rest")
    return tf.minimum(strength, limit), mode


@tf.function
def minutes_until(room, wanted, outside, limit):
    minutes = tf.constant(0)
    for minute in tf.range(600):
        strength, mode = power(room, wanted, limit)
        if mode == "rest":
            break
        sign = tf.where(mode == "heat", 1.0, -1.0)
        room = room + 0.1 * sign * strength + 0.01 * (outside - room)
        minutes = minute + 1
        if tf.abs(room - wanted) < 0.25:
            break
    return minutes, room


@tf.function
def saved(before, after):
    if before <= after:
        return tf.constant(0.0)
    else:
        return (before - after) / before


def main():
    slow, _ = minutes_until(tf.constant(15.0), tf.constant(20.0), tf.constant(5.0), tf.constant(2.0))
    fast, room = minutes_until(tf.constant(15.0), tf.constant(20.0), tf.constant(5.0), tf.constant(6.0))
    print(int(slow), int(fast), float(room), float(saved(tf.cast(slow, tf.float32), tf.cast(fast, tf.float32))))


main()
