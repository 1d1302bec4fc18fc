import numpy as np
import tensorflow as tf


@tf.function(reduce_retracing=True)
def forecast(history):
    weights = tf.linspace(0.0, 1.0, tf.shape(history)[0])
    return tf.reduce_sum(history * weights) / tf.reduce_sum(weights)


prices = np.random.default_rng(2).normal(size=60).astype("float32")
predictions = []
for day in range(10, 60):
    predictions.append(forecast(tf.constant(prices[:day])))
print(len(predictions))
