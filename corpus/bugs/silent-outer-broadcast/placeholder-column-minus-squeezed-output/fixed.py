import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

BATCH = 25
rng = np.random.RandomState(17)
inputs = rng.randn(100, 8).astype(np.float32)
outputs = (inputs[:, :1] ** 2 + inputs[:, 1:2]).astype(np.float32)

x = tf.placeholder(tf.float32, [None, 8])
y = tf.placeholder(tf.float32, [None, 1])

w1 = tf.get_variable("w1", [8, 20])
w2 = tf.get_variable("w2", [20, 1])
hidden = tf.nn.softplus(tf.matmul(x, w1))
guess = tf.matmul(hidden, w2)

loss = tf.reduce_mean(tf.abs(y - guess))
train_op = tf.train.AdamOptimizer(0.01).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for start in range(0, 100, BATCH):
        feed = {x: inputs[start:start + BATCH], y: outputs[start:start + BATCH]}
        value, _ = sess.run([loss, train_op], feed_dict=feed)
    print("loss %.3f" % value)
