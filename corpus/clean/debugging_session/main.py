"""A model that is debugged: functions run eagerly, so that they print, convert to NumPy and branch on values."""
import numpy as np
import tensorflow as tf

tf.config.run_functions_eagerly(True)

HISTORY = []


@tf.function
def step(weights, rows, wanted):
    with tf.GradientTape() as tape:
        tape.watch(weights)
        error = tf.linalg.matvec(rows, weights) - wanted
        loss = tf.reduce_mean(error**2)
    slope = tape.gradient(loss, weights)
    if np.isnan(loss.numpy()):
        raise ValueError("the loss is not a number")
    HISTORY.append(float(loss))
    largest = max(float(part) for part in slope)
    if largest > 10.0:
        print("a large slope:", largest)
    return weights - 0.1 * slope, len(HISTORY)


def main():
    rng = np.random.default_rng(8)
    rows = rng.normal(size=(20, 3)).astype("float32")
    wanted = rows @ np.array([1.0, -2.0, 0.5], "float32")
    weights = tf.zeros([3])
    for _ in range(15):
        weights, count = step(weights, tf.constant(rows), tf.constant(wanted))
        assert count == len(HISTORY)
    print(weights.numpy().round(2), HISTORY[0], "->", HISTORY[-1])


main()
tf.config.run_functions_eagerly(False)
