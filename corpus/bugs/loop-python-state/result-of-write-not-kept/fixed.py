import tensorflow as tf


@tf.function
def moving_average(series, width):
    count = tf.shape(series)[0] - width + 1
    averages = tf.TensorArray(tf.float32, size=count)
    for start in tf.range(count):
        averages = averages.write(start, tf.reduce_mean(series[start : start + width]))
    return averages.stack()


result = moving_average(tf.constant([2.0, 4.0, 6.0, 8.0, 10.0]), tf.constant(3))
print(result.numpy())
