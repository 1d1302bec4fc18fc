import numpy as np
import tensorflow as tf


class LinearModel(object):

    def __init__(self, features, learning_rate=0.01):
        self.X = tf.placeholder(tf.float32, shape=(None, features), name="X")
        self.Y = tf.placeholder(tf.float32, shape=(None, 1), name="Y")
        weights = tf.Variable(tf.random_normal([features, 1]), name="weights")
        bias = tf.Variable(tf.zeros([1]), name="bias")
        self.prediction = tf.add(tf.matmul(self.X, weights), bias)
        self.loss = tf.reduce_mean(tf.square(self.prediction - self.Y))
        self.train_op = tf.train.AdamOptimizer(learning_rate).minimize(self.loss)

    def feed(self, xs, ys):
        feed_dict = {self.X: xs}
        feed_dict[self.Y] = ys
        return feed_dict


def main():
    rng = np.random.RandomState(42)
    train_X = rng.rand(50, 3)
    train_Y = train_X.dot([1.0, -2.0, 0.5])
    model = LinearModel(features=3)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(10):
            _, cost = sess.run([model.train_op, model.loss], feed_dict=model.feed(train_X, train_Y))
        print("final cost", cost)


if __name__ == "__main__":
    main()
