import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [8, 15, 32])
cells = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.BasicLSTMCell(64) for _ in range(2)])
out, state = tf.nn.dynamic_rnn(cells, x, dtype=tf.float32)
h = tf.matmul(tf.concat([state[0].h, state[1].h], 1), tf.get_variable("w", [128, 5]))
