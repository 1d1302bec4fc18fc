import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 4])
w = tf.Variable(tf.random_normal([20, 4]))
b = tf.Variable(tf.zeros([4]))
prediction = tf.nn.softmax(tf.matmul(x, w) + b)
cost = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=tf.matmul(x, w) + b))
train = tf.train.GradientDescentOptimizer(0.1).minimize(cost)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    feed = {x: np.random.rand(8, 20), y: np.eye(4)[np.random.randint(0, 4, 8)]}
    print(session.run([train, cost], feed)[1])
