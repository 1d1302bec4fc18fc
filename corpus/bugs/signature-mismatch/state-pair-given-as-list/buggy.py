import tensorflow as tf

UNITS = 5
kernel = tf.Variable(tf.random.normal([3 + UNITS, 4 * UNITS], seed=2))
STATE = (tf.TensorSpec([None, UNITS], tf.float32), tf.TensorSpec([None, UNITS], tf.float32))


@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32), STATE])
def lstm_step(x, state):
    h, c = state
    i, f, o, g = tf.split(tf.concat([x, h], axis=1) @ kernel, 4, axis=1)
    c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
    h = tf.sigmoid(o) * tf.tanh(c)
    return h, (h, c)


state = [tf.zeros([2, UNITS])] * 2
for t in range(3):
    output, state = lstm_step(tf.random.normal([2, 3]), state)
print(output.shape)
