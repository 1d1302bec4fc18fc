"""The tempo of rhythms: Python lists in a traced function, NumPy on static shapes, a loop that is unrolled on purpose."""
import numpy as np
import tensorflow as tf

LEVELS = 4


@tf.function(reduce_retracing=True)
def pyramid(onsets):
    maps = []
    current = onsets[:, :, tf.newaxis]
    for level in range(LEVELS):
        taps = np.hanning(3 + 2 * level).astype("float32")
        kernel = tf.constant((taps / taps.sum()).reshape(-1, 1, 1))
        current = tf.nn.conv1d(current, kernel, stride=1, padding="SAME")
        maps.append(current)
        current = tf.nn.avg_pool1d(current, 2, 2, "SAME")
    channels = int(np.prod(maps[0].shape[2:]))
    return [tf.reshape(one, [tf.shape(one)[0], -1, channels]) for one in maps]


def strongest_lag(signal, slowest=24):
    lags = np.arange(4, slowest)
    centred = signal - signal.mean()
    scores = [np.dot(centred[lag:], centred[:-lag]) for lag in lags]
    return int(lags[int(np.argmax(scores))])


def main():
    rng = np.random.default_rng(2)
    for beat, length in ((6, 96), (8, 128), (12, 144)):
        onsets = np.zeros((3, length), "float32")
        onsets[:, ::beat] = 1.0
        onsets += 0.1 * rng.random(onsets.shape, dtype="float32")
        levels = pyramid(tf.constant(onsets))
        found = [strongest_lag(row) for row in levels[0].numpy()[:, :, 0]]
        print(f"beat {beat}: lags {found}, levels {[tuple(level.shape) for level in levels]}")


main()
