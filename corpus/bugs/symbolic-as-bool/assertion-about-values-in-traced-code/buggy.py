import tensorflow as tf


@tf.function
def normalise(histograms):
    totals = tf.reduce_sum(histograms, axis=-1, keepdims=True)
    assert tf.reduce_all(totals > 0), "empty histogram"
    return histograms / totals


counts = tf.random.poisson([6, 4], lam=8.0, seed=3) + 1.0
print(tf.reduce_sum(normalise(counts), axis=1).numpy())
