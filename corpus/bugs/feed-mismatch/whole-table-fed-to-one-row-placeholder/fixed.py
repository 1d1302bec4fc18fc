import numpy
import tensorflow as tf

rng = numpy.random.RandomState(9)

rate = 0.01
epochs = 4

table = rng.rand(150, 5)
train_X = table[:100, :-1]
train_Y = table[:100, -1]
test_X = table[100:, :-1]
test_Y = table[100:, -1]

n_input = train_X.shape[1]
n_samples = train_X.shape[0]

X = tf.placeholder(tf.float32, [None, n_input])
Y = tf.placeholder(tf.float32, [None])

W = tf.Variable(tf.zeros([n_input]), name="weight")
b = tf.Variable(tf.zeros([1]), name="bias")

predicted = tf.reduce_sum(tf.multiply(X, W), axis=1) + b
cost = tf.reduce_sum(tf.pow(predicted - Y, 2)) / (2 * n_samples)
optimizer = tf.train.GradientDescentOptimizer(rate).minimize(cost)

with tf.Session() as sess:
    sess.run(tf.initialize_all_variables())
    for epoch in range(epochs):
        for (x, y) in zip(train_X, train_Y):
            sess.run(optimizer, feed_dict={X: [x], Y: [y]})
        c = sess.run(cost, feed_dict={X: train_X, Y: train_Y})
        print("epoch %04d cost=%.6f" % (epoch + 1, c))

    print("test cost", sess.run(cost, feed_dict={X: test_X, Y: test_Y}))
