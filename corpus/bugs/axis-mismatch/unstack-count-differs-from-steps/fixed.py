import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

FLAGS = {"steps": 30, "features": 9, "units": 20, "classes": 6}
num_steps = FLAGS["steps"]

sequence = tf.placeholder(tf.float32, [None, FLAGS["steps"], FLAGS["features"]])
activity = tf.placeholder(tf.int64, [None])

cell = tf.nn.rnn_cell.LSTMCell(FLAGS["units"])
inputs = tf.unstack(sequence, num_steps, axis=1)
outputs, state = tf.nn.static_rnn(cell, inputs, dtype=tf.float32)

with tf.variable_scope("softmax"):
    w = tf.get_variable("w", [FLAGS["units"], FLAGS["classes"]])
    b = tf.get_variable("b", [FLAGS["classes"]], initializer=tf.constant_initializer(0.0))
logits = tf.matmul(outputs[-1], w) + b
loss = tf.losses.sparse_softmax_cross_entropy(activity, logits)
train = tf.train.AdagradOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    feed = {sequence: np.random.randn(8, 30, 9), activity: np.random.randint(0, 6, 8)}
    print(sess.run([loss, train], feed)[0])
