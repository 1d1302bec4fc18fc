"""Records of a flight: structures of tensors through traced functions, named tuples, dictionaries that keep their keys."""
import collections

import tensorflow as tf

State = collections.namedtuple("State", ["place", "speed", "battery"])


@tf.function
def advance(state, command):
    wind = 0.1 * tf.random.stateless_normal(tf.shape(state.place), [3, 5])
    speed = 0.8 * state.speed + command["thrust"] + wind
    cost = tf.norm(command["thrust"])
    if command["hold"]:
        speed = tf.zeros_like(speed)
        cost = cost * 0.5
    return state._replace(place=state.place + speed, speed=speed, battery=state.battery - cost)


@tf.function
def fly(state, thrusts, hold_until):
    report = {"low": tf.constant(False), "length": tf.constant(0.0)}
    for at in tf.range(tf.shape(thrusts)[0]):
        before = state.place
        state = advance(state, {"thrust": thrusts[at], "hold": at < hold_until})
        report["length"] += tf.norm(state.place - before)
        report["low"] = tf.logical_or(report["low"], state.battery < 2.0)
    return state, report


def main():
    start = State(place=tf.zeros([3]), speed=tf.zeros([3]), battery=tf.constant(9.0))
    thrusts = tf.random.stateless_uniform([12, 3], [1, 1], -0.2, 0.6)
    for hold in (0, 4):
        end, report = fly(start, thrusts, tf.constant(hold))
        flat = tf.nest.flatten(end)
        print(end.place.shape, len(flat), {name: value.numpy() for name, value in report.items()})


main()
