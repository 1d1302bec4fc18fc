import tensorflow as tf

kernel = tf.random.normal([8, 8]) * 0.1


@tf.function
def recur(inputs):
    state = tf.zeros([tf.shape(inputs)[0], 8])
    for t in tf.range(inputs.shape[1]):
        state = tf.tanh(inputs[:, t] + state @ kernel)
    return state


print(recur(tf.random.normal([4, 300, 8])).shape)
