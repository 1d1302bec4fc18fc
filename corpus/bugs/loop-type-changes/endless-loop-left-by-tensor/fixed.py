import tensorflow as tf


@tf.function
def truncated_normal(mean, limit):
    """Draw until the sample lies within the limit."""
    sample = tf.random.normal([], mean)
    while tf.abs(sample) > limit:
        sample = tf.random.normal([], mean)
    return sample


samples = [float(truncated_normal(tf.constant(0.5), tf.constant(1.0))) for _ in range(20)]
print(max(samples) <= 1.0)
