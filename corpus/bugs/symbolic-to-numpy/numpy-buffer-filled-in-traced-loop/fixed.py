import numpy as np
import tensorflow as tf


@tf.function
def exponential_average(series, alpha):
    smoothed = [series[0]]
    for t in range(1, series.shape[0]):
        smoothed.append(alpha * series[t] + (1 - alpha) * smoothed[-1])
    return tf.stack(smoothed)


prices = tf.constant([10.0, 10.5, 10.2, 11.0, 10.8, 11.4])
trend = exponential_average(prices, tf.constant(0.3))
print(trend.numpy())
