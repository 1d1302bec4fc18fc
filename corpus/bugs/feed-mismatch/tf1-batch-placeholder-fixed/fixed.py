import numpy as np
import tensorflow as tf

batch_size = 50
rng = np.random.RandomState(0)
train_x, train_y = rng.rand(200, 8), rng.rand(200, 1)
test_x, test_y = rng.rand(80, 8), rng.rand(80, 1)

x = tf.placeholder(tf.float32, shape=(None, 8))
y = tf.placeholder(tf.float32, shape=(None, 1))
w = tf.Variable(tf.zeros([8, 1]))
b = tf.Variable(0.0)
pred = tf.matmul(x, w) + b
cost = tf.reduce_mean(tf.pow(pred - y, 2))
opt = tf.train.GradientDescentOptimizer(0.05).minimize(cost)
init = tf.global_variables_initializer()

with tf.Session() as sess:
    sess.run(init)
    for epoch in range(3):
        for i in range(len(train_x) // batch_size):
            bx = train_x[i * batch_size:(i + 1) * batch_size]
            by = train_y[i * batch_size:(i + 1) * batch_size]
            sess.run(opt, feed_dict={x: bx, y: by})
    print("test cost:", sess.run(cost, feed_dict={x: test_x, y: test_y}))
