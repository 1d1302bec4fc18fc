import tensorflow as tf


@tf.function
def truncated_normal(mean, limit):
    """Draw until the sample lies within the limit."""
    while True:
        sample = tf.random.normal([], mean)
        if tf.abs(sample) <= limit:
            break
    return sample


samples = [float(truncated_normal(tf.constant(0.5), tf.constant(1.0))) for _ in range(20)]
print(max(samples) <= 1.0)
