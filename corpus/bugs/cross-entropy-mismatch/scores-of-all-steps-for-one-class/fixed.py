import numpy as np
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None, 12, 6])
y = tf.placeholder(tf.int32, [None])
cell = tf.nn.rnn_cell.LSTMCell(20)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
logits = tf.layers.dense(outputs[:, -1, :], 4)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
