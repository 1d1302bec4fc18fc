import tensorflow as tf


def dense(x, units, scope, n_in=None):
    n_in = n_in or int(x.get_shape()[-1])
    with tf.variable_scope(scope):
        w = tf.get_variable("w", [n_in, units], initializer=tf.random_normal_initializer(stddev=0.02))
        b = tf.get_variable("b", [units], initializer=tf.zeros_initializer())
        return tf.matmul(x, w) + b


frames = tf.placeholder(tf.float32, [None, 84, 4])
newest = tf.reshape(frames[:, 2:82, :], [-1, 80 * 4])

net = tf.nn.relu(dense(newest, 64, "fc1"))
q_values = dense(net, 5, "q")
action = tf.argmax(q_values, axis=1)
print(action.get_shape())
