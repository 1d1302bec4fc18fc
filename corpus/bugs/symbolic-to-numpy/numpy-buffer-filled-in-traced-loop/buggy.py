import numpy as np
import tensorflow as tf


@tf.function
def exponential_average(series, alpha):
    smoothed = np.zeros(series.shape, dtype=np.float32)
    smoothed[0] = series[0]
    for t in range(1, series.shape[0]):
        smoothed[t] = alpha * series[t] + (1 - alpha) * smoothed[t - 1]
    return smoothed


prices = tf.constant([10.0, 10.5, 10.2, 11.0, 10.8, 11.4])
trend = exponential_average(prices, tf.constant(0.3))
print(trend.numpy())
