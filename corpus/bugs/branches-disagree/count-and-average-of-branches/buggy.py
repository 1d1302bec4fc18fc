import tensorflow as tf


@tf.function
def summary(values, threshold):
    above = tf.boolean_mask(values, values > threshold)
    if tf.size(above) > 3:
        result = tf.reduce_mean(above)
    else:
        result = tf.size(above)
    return result


print(float(summary(tf.random.normal([20], seed=2), tf.constant(0.0))))
