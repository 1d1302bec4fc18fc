import tensorflow as tf

RATE = 0.9
returns = tf.random.normal([20, 4], seed=12)


@tf.function
def discounted(rewards):
    backwards = tf.reverse(rewards, axis=[0])
    summed = tf.scan(lambda total, reward: reward + RATE * total, backwards, initializer=0.0)
    return tf.reverse(summed, axis=[0])


print(discounted(returns).shape)
