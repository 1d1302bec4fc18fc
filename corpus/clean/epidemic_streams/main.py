"""An epidemic as a stream: `scan`, `take_while`, nested windows and zipped datasets, with structures that stay the same."""
import tensorflow as tf

START = {"healthy": tf.constant(990.0), "ill": tf.constant(10.0), "immune": tf.constant(0.0)}


def day(state, contact):
    infected = contact * state["healthy"] * state["ill"] / 1000.0
    recovered = 0.1 * state["ill"]
    if infected > state["healthy"]:
        infected = state["healthy"]
    following = {
        "healthy": state["healthy"] - infected,
        "ill": state["ill"] + infected - recovered,
        "immune": state["immune"] + recovered,
    }
    return following, (following, infected)


def smoothed(window):
    return window.batch(7, drop_remainder=True).map(tf.reduce_mean)


def lockdown(number, contact):
    return tf.where(number % 40 < 20, contact, contact * 0.5)


def main():
    contacts = tf.data.Dataset.from_tensors(0.35).repeat(200).enumerate().map(lockdown)
    course = contacts.scan(START, day).take_while(lambda state, new: state["ill"] >= 5.0)
    new_cases = course.map(lambda state, new: new)
    weekly = new_cases.window(7, shift=7, drop_remainder=True).flat_map(smoothed)
    ill = course.map(lambda state, _: state["ill"]).batch(7, drop_remainder=True)
    peak = tf.constant(0.0)
    for mean, week in tf.data.Dataset.zip((weekly, ill)):
        peak = tf.maximum(peak, tf.reduce_max(week))
    final = course.reduce(START, lambda _, item: item[0])
    print(float(mean), float(peak), {name: round(float(value)) for name, value in final.items()})
    print(course.element_spec[1], len(list(weekly)))


main()
