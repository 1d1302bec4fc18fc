import numpy as np
import tensorflow as tf


class DeepAutoencoder:
    def __init__(self, input_dim, hidden=(32, 16, 2), epochs=2, batch_size=32, learning_rate=0.02):
        self.input_dim = input_dim
        self.epochs = epochs
        self.batch_size = batch_size
        self.X = tf.placeholder(tf.float32, [None, input_dim])
        self.Y = tf.placeholder(tf.float32, [None, input_dim])
        sizes = (input_dim,) + tuple(hidden) + tuple(hidden[-2::-1]) + (input_dim,)
        self.output = self.network(self.X, sizes)
        self.cost = tf.reduce_mean(tf.square(self.output - self.Y))
        self.train_op = tf.train.RMSPropOptimizer(learning_rate).minimize(self.cost)

    def network(self, x, sizes):
        for i, (rows, columns) in enumerate(zip(sizes[:-1], sizes[1:])):
            with tf.variable_scope("layer%d" % i):
                w = tf.get_variable("w", [rows, columns])
                b = tf.get_variable("b", [columns], initializer=tf.zeros_initializer())
                x = tf.matmul(x, w) + b
                if i < len(sizes) - 2:
                    x = tf.nn.sigmoid(x)
        return x

    def train(self, data, targets):
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for epoch in range(self.epochs):
                epoch_loss = 0
                for i in range(0, len(data) - self.batch_size + 1, self.batch_size):
                    batch_x = data[i:i + self.batch_size]
                    batch_y = targets[i:i + self.batch_size]
                    feed = {self.X: batch_x, self.Y: batch_y}
                    _, c = sess.run([self.train_op, self.cost], feed_dict=feed)
                    epoch_loss += c
                print("Epoch", epoch, "of", self.epochs, "loss:", epoch_loss)


rng = np.random.RandomState(0)
expression = rng.rand(128, 60).astype(np.float32)
tissue = rng.randint(0, 4, size=128)
net = DeepAutoencoder(expression.shape[1])
net.train(expression, expression)
