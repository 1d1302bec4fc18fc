import numpy as np
import tensorflow as tf

N_CLASS = 2
NX, NY = 92, 92


class CircleProvider(object):
    """Pictures of noisy circles and their masks."""

    def __init__(self, nx, ny, count=4):
        self.nx, self.ny, self.count = nx, ny, count

    def __call__(self, n):
        rng = np.random.RandomState(0)
        y, x = np.mgrid[:self.ny, :self.nx]
        X = np.zeros((n, self.ny, self.nx, 1))
        Y = np.zeros((n, self.ny, self.nx, N_CLASS))
        for i in range(n):
            a, b, r = rng.randint(20, 70), rng.randint(20, 70), rng.randint(5, 20)
            mask = (x - a) ** 2 + (y - b) ** 2 < r ** 2
            X[i, ..., 0] = mask + rng.normal(scale=0.2, size=mask.shape)
            Y[i, ..., 1], Y[i, ..., 0] = mask, ~mask
        return X, Y


def conv(x, filters, name, size=3):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [size, size, x.shape[-1], filters])
        return tf.nn.relu(tf.nn.conv2d(x, w, strides=[1, 1, 1, 1], padding="VALID"))


def crop_to_shape(data, shape):
    dy, dx = (data.shape[1] - shape[1]) // 2, (data.shape[2] - shape[2]) // 2
    return data[:, dy:dy + shape[1], dx:dx + shape[2]]


x = tf.placeholder(tf.float32, [None, NY, NX, 1])
h = conv(conv(x, 8, "down1a"), 8, "down1b")
h = tf.nn.max_pool(h, [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
h = conv(conv(h, 16, "down2a"), 16, "down2b")
h = tf.image.resize_nearest_neighbor(h, [2 * int(h.shape[1]), 2 * int(h.shape[2])])
logits = conv(conv(h, 8, "up1"), N_CLASS, "out", size=1)

y = tf.placeholder(tf.float32, [None, NY, NX, N_CLASS])
flat_logits = tf.reshape(logits, [-1, N_CLASS])
flat_labels = tf.reshape(y, [-1, N_CLASS])
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=flat_logits, labels=flat_labels))
train = tf.train.MomentumOptimizer(0.2, 0.9).minimize(loss)

provider = CircleProvider(NX, NY)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(2):
        bx, by = provider(2)
        _, value = sess.run([train, loss], feed_dict={x: bx, y: by})
        print(step, value)
