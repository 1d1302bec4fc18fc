import tensorflow as tf

HORIZON = 10


def forecast_loss(history, future, weights):
    forecast = tf.tensordot(history, weights, axes=1)
    forecast = forecast[:, :, 0]
    return tf.reduce_mean(tf.abs(forecast - future))


history = tf.random.normal([16, 5, 30])
weights = tf.random.normal([30, HORIZON])
future = tf.random.normal([16, 5])
print(float(forecast_loss(history, future, weights)))
