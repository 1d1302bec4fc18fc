import tensorflow as tf


class FilterOptions:
    def __init__(self, width, sigma):
        self.width = width
        self.sigma = sigma


def kernel(options):
    positions = tf.range(-options.width, options.width + 1, dtype=tf.float32)
    weights = tf.exp(-(positions**2) / (2 * options.sigma**2))
    return (weights / tf.reduce_sum(weights))[:, tf.newaxis, tf.newaxis]


@tf.function
def smooth(signals, options):
    return tf.nn.conv1d(signals, kernel(options), stride=1, padding="SAME")


recordings = [tf.random.normal([4, 100, 1], seed=i) for i in range(6)]
energies = []
for recording in recordings:
    options = FilterOptions(width=5, sigma=2.0)
    energies.append(float(tf.reduce_mean(smooth(recording, options) ** 2)))
print(["%.3f" % energy for energy in energies])
