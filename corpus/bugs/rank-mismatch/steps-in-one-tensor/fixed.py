import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None, 28, 28])
cell = tf.nn.rnn_cell.BasicLSTMCell(128)
outputs, _ = tf.nn.static_rnn(cell, tf.unstack(x, 28, 1), dtype=tf.float32)
logits = tf.matmul(outputs[-1], tf.get_variable("w", [128, 10]))
