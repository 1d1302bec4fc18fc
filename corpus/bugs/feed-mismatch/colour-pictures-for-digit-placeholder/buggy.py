import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_integer("batch", 50, "examples in a batch")
flags.DEFINE_float("rate", 0.5, "learning rate")
FLAGS = flags.FLAGS


class Scans(object):
    """Digits cut out of colour scans."""

    def __init__(self, count, seed=2):
        rng = np.random.RandomState(seed)
        self.pictures = rng.randint(0, 256, size=(count, 28, 28, 3)).astype(np.float32) / 255
        self.digits = rng.randint(0, 10, size=count)
        self.position = 0

    def next_batch(self, size):
        rows = slice(self.position, self.position + size)
        self.position += size
        pictures = self.pictures[rows]
        return pictures.reshape(size, -1), np.eye(10)[self.digits[rows]]


def weight_variable(shape):
    return tf.Variable(tf.truncated_normal(shape, stddev=0.1))


def main(_):
    scans = Scans(200)
    x = tf.placeholder(tf.float32, [None, 784])
    y_ = tf.placeholder(tf.float32, [None, 10])
    y = tf.matmul(x, weight_variable([784, 10])) + tf.Variable(tf.zeros([10]))
    cross_entropy = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y_, logits=y))
    train_step = tf.train.GradientDescentOptimizer(FLAGS.rate).minimize(cross_entropy)
    correct = tf.equal(tf.argmax(y, 1), tf.argmax(y_, 1))
    accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for i in range(3):
            batch = scans.next_batch(FLAGS.batch)
            sess.run(train_step, feed_dict={x: batch[0], y_: batch[1]})
        images, labels = scans.next_batch(FLAGS.batch)
        print(sess.run(accuracy, feed_dict={x: images, y_: labels}))


if __name__ == "__main__":
    tf.app.run()
