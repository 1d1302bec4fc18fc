import numpy as np
import tensorflow as tf

IMG, CHANNELS, LABELS = 28, 1, 10


def weight(shape):
    return tf.Variable(tf.truncated_normal(shape, stddev=0.1))


def bias(shape):
    return tf.Variable(tf.constant(0.1, shape=shape))


def conv_block(x, filters_in, filters_out):
    h = tf.nn.conv2d(x, weight([5, 5, filters_in, filters_out]), strides=[1, 1, 1, 1], padding="VALID")
    h = tf.nn.relu(h + bias([filters_out]))
    return tf.nn.max_pool(h, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")


images = tf.placeholder(tf.float32, [None, IMG, IMG, CHANNELS])
labels = tf.placeholder(tf.float32, [None, LABELS])
h1 = conv_block(images, CHANNELS, 16)
h2 = conv_block(h1, 16, 32)
flat = tf.reshape(h2, [-1, 7 * 7 * 32])
hidden = tf.nn.relu(tf.matmul(flat, weight([7 * 7 * 32, 64])) + bias([64]))
logits = tf.matmul(hidden, weight([64, LABELS])) + bias([LABELS])
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits))
train = tf.train.AdamOptimizer(1e-4).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(3):
        feed = {images: np.random.rand(20, IMG, IMG, CHANNELS), labels: np.eye(LABELS)[np.arange(20) % LABELS]}
        sess.run(train, feed_dict=feed)
