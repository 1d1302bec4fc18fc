"""A Kalman filter over a track: the covariance keeps its shape in a loop of the graph, written to arrays of tensors."""
import tensorflow as tf

TRANSITION = tf.constant([[1.0, 0.1], [0.0, 1.0]])
SEEN = tf.constant([[1.0, 0.0]])
NOISE = 0.05 * tf.eye(2)


@tf.function
def smooth(readings, spread):
    steps = tf.shape(readings)[0]
    places = tf.TensorArray(tf.float32, size=steps)
    widths = tf.TensorArray(tf.float32, size=steps)
    state, covariance = tf.zeros([2, 1]), tf.eye(2)
    for step in tf.range(steps):
        state = TRANSITION @ state
        covariance = TRANSITION @ covariance @ tf.transpose(TRANSITION) + NOISE
        surprise = readings[step] - tf.squeeze(SEEN @ state)
        room = SEEN @ covariance @ tf.transpose(SEEN) + spread
        gain = covariance @ tf.transpose(SEEN) / room
        if tf.abs(surprise) < 5.0:
            state = state + gain * surprise
            covariance = covariance - gain @ SEEN @ covariance
        places = places.write(step, state[0, 0])
        widths = widths.write(step, tf.sqrt(covariance[0, 0]))
    return places.stack(), widths.stack()


def main():
    tf.random.set_seed(3)
    truth = tf.linspace(0.0, 4.0, 40)
    readings = truth + 0.3 * tf.random.normal([40])
    places, widths = smooth(readings, tf.constant(0.1))
    print("error", float(tf.reduce_mean(tf.abs(places - truth))), "spread", widths.numpy()[-1])


main()
