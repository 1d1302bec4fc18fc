import numpy as np
import tensorflow as tf

DAYS, LOOKBACK = 120, 14

# daily mean temperature of one station
temperature = np.sin(np.arange(DAYS) / 9.0).astype("float32")
windows = np.stack([temperature[i:i + LOOKBACK] for i in range(DAYS - LOOKBACK)])
targets = temperature[LOOKBACK - 1:]

dataset = tf.data.Dataset.from_tensor_slices((windows, targets))
dataset = dataset.batch(16).prefetch(1)
for x, y in dataset.take(1):
    naive = tf.reduce_mean(tf.abs(x[:, -1] - y))
    print(x.shape, y.shape, float(naive))
