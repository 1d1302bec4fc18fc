import tensorflow as tf


@tf.function
def ema_with_deviation(prices, alpha):
    def advance(state, price):
        mean = state + alpha * (price - state)
        return mean, tf.abs(price - mean)

    return tf.scan(advance, prices, initializer=prices[0])


print(ema_with_deviation(tf.constant([1.0, 2.0, 1.5, 3.0]), tf.constant(0.5)))
