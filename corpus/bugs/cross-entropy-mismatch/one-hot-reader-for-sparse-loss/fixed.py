import collections

import numpy as np
import tensorflow as tf

Datasets = collections.namedtuple("Datasets", ["train", "test"])
BATCH = 100
CLASSES = 10


class DataSet(object):
    def __init__(self, images, labels, one_hot):
        self.images = images
        self.labels = np.eye(CLASSES, dtype=np.int32)[labels] if one_hot else labels
        self._position = 0

    def next_batch(self, size):
        start = self._position
        self._position = (start + size) % (len(self.images) - size + 1)
        return self.images[start:start + size], self.labels[start:start + size]


def read_data_sets(one_hot=False):
    rng = np.random.RandomState(0)

    def part(count):
        return DataSet(rng.rand(count, 784).astype(np.float32), rng.randint(0, CLASSES, size=count), one_hot)

    return Datasets(train=part(500), test=part(200))


def dense(x, units, name, activation=None):
    with tf.variable_scope(name):
        w = tf.get_variable("kernel", [x.shape[1], units])
        b = tf.get_variable("bias", [units], initializer=tf.zeros_initializer())
        y = tf.matmul(x, w) + b
        return activation(y) if activation else y


mnist = read_data_sets(one_hot=True)
images = tf.placeholder(tf.float32, [BATCH, 784], name="images")
labels = tf.placeholder(tf.int32, [BATCH, CLASSES], name="labels")
class_ids = tf.argmax(labels, axis=1)

hidden = dense(images, 64, "hidden", tf.nn.relu)
logits = dense(hidden, CLASSES, "logits")
loss = tf.losses.sparse_softmax_cross_entropy(labels=class_ids, logits=logits)
train_op = tf.train.AdamOptimizer(1e-3).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(4):
        x, y = mnist.train.next_batch(BATCH)
        _, value = sess.run([train_op, loss], feed_dict={images: x, labels: y})
        print(step, value)
