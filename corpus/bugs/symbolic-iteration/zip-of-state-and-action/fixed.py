import tensorflow as tf


@tf.function
def total_reward(states, actions):
    total = tf.constant(0.0)
    for at in tf.range(tf.shape(states)[0]):
        total += states[at, 0] * actions[at]
    return total


print(float(total_reward(tf.random.normal([9, 3]), tf.random.normal([9]))))
