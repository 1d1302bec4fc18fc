import numpy as np
import tensorflow as tf


class Dataset(object):
    def __init__(self, images, labels):
        self._images = images
        self._labels = labels
        self._index = 0

    def next_batch(self, size):
        start = self._index
        self._index += size
        return self._images[start:start + size], self._labels[start:start + size]


def dense_to_one_hot(labels, num_classes):
    num = labels.shape[0]
    offset = np.arange(num) * num_classes
    one_hot = np.zeros((num, num_classes))
    one_hot.flat[offset + labels.ravel()] = 1
    return one_hot


rng = np.random.RandomState(0)
images = rng.rand(100, 64).astype(np.float32)
labels = rng.randint(0, 10, size=100)
train = Dataset(images, labels)

x = tf.placeholder(tf.float32, [None, 64])
y_ = tf.placeholder(tf.float32, [None, 10])
W = tf.Variable(tf.zeros([64, 10]))
b = tf.Variable(tf.zeros([10]))
y = tf.nn.softmax(tf.matmul(x, W) + b)
cross_entropy = -tf.reduce_sum(y_ * tf.log(y))
train_step = tf.train.GradientDescentOptimizer(0.01).minimize(cross_entropy)

sess = tf.InteractiveSession()
sess.run(tf.global_variables_initializer())
for i in range(5):
    batch = train.next_batch(20)
    train_step.run(feed_dict={x: batch[0], y_: batch[1]})
