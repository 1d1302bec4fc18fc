"""Two-layer convolutional classifier for scanned 36x36 glyphs."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

GLYPHS = 24
SIDE = 36


def weights(shape):
    return tf.Variable(tf.truncated_normal(shape, stddev=0.05))


def bias(size):
    return tf.Variable(tf.constant(0.05, shape=[size]))


def convolve(images, kernel):
    return tf.nn.conv2d(images, kernel, strides=[1, 1, 1, 1], padding="SAME")


def halve(images):
    return tf.nn.max_pool(images, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")


pixels = tf.placeholder(tf.float32, shape=[None, SIDE * SIDE])
classes = tf.placeholder(tf.float32, shape=[None, GLYPHS])

maps = tf.reshape(pixels, [-1, SIDE, SIDE, 1])
maps = halve(tf.nn.relu(convolve(maps, weights([3, 3, 1, 16])) + bias(16)))
maps = halve(tf.nn.relu(convolve(maps, weights([3, 3, 16, 48])) + bias(48)))

flat = tf.reshape(maps, [-1, 9 * 9 * 48])
hidden = tf.nn.relu(tf.matmul(flat, weights([9 * 9 * 48, 256])) + bias(256))
logits = tf.matmul(hidden, weights([256, GLYPHS])) + bias(GLYPHS)

loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=classes, logits=logits))
step = tf.train.AdamOptimizer(1e-3).minimize(loss)

rng = np.random.RandomState(7)
train_x = rng.rand(200, SIDE * SIDE).astype("float32")
train_y = np.eye(GLYPHS, dtype="float32")[rng.randint(0, GLYPHS, 200)]

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        first = i * 40
        feed = {pixels: train_x[first:first + 40], classes: train_y[first:first + 40]}
        _, value = sess.run([step, loss], feed_dict=feed)
        print("step %d loss %.4f" % (i, value))
