import numpy as np
import tensorflow as tf

tf.disable_eager_execution()
FEATURES = 12


class Net(object):
    def __init__(self, sizes):
        self.sizes = sizes

    def dense(self, x, name, units):
        with tf.variable_scope(name):
            w = tf.get_variable("w", [int(x.shape[-1]), units])
            b = tf.get_variable("b", [units], initializer=tf.zeros_initializer())
            return tf.matmul(x, w) + b

    def __call__(self, x):
        for i, units in enumerate(self.sizes[:-1]):
            x = tf.nn.relu(self.dense(x, "layer%d" % i, units))
        return self.dense(x, "out", self.sizes[-1])


x = tf.placeholder(tf.float32, [None, FEATURES])
y = tf.placeholder(tf.int64, [None])
net = Net([32, 16, 3])
logits = net(x)
loss = tf.losses.sparse_softmax_cross_entropy(labels=y, logits=logits)
train = tf.train.AdamOptimizer(1e-3).minimize(loss)


def batches(data, target, size):
    for start in range(0, len(data), size):
        yield data[start:start + size], target[start:start + size]


rng = np.random.RandomState(0)
data = rng.rand(64, FEATURES + 1)
target = rng.randint(0, 3, 64)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(2):
        for bx, by in batches(data, target, 16):
            sess.run(train, {x: bx, y: by})
