import random

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
random.seed(2)

SIGNS = 26
records = np.asarray([np.random.uniform(0, 255, 784) for _ in range(80)], dtype=np.float32)
marks = []
for _ in range(80):
    marks.append(np.zeros([SIGNS]))
    marks[-1][random.randint(0, SIGNS - 1)] = 1
records = (records - 127.5) / 255
marks = np.float32(marks)

sess = tf.InteractiveSession()
x = tf.placeholder(tf.float32, shape=[None, 784])
y_true = tf.placeholder(tf.float32, shape=[None, SIGNS])


def var(shape, stddev=0.1):
    return tf.Variable(tf.truncated_normal(shape, stddev=stddev))


def block(inputs, n_in, n_out):
    out = tf.nn.conv2d(inputs, var([3, 3, n_in, n_out]), strides=[1, 1, 1, 1], padding="SAME")
    out = tf.nn.relu(out + var([n_out]))
    return tf.nn.max_pool(out, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")


image = tf.reshape(x, [-1, 28, 28, 1])
maps = block(image, 1, 12)
maps = block(maps, 12, 16)

# 28 -> 14 -> 7
W_fc = var([7 * 7 * 16, 96])
flat = tf.reshape(maps, [-1, 7 * 7 * 16])
fc = tf.nn.relu(tf.matmul(flat, W_fc) + var([96]))
logits = tf.matmul(fc, var([96, SIGNS])) + var([SIGNS])

loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y_true, logits=logits))
train = tf.train.AdamOptimizer(1e-4).minimize(loss)
hit = tf.equal(tf.argmax(logits, 1), tf.argmax(y_true, 1))
accuracy = tf.reduce_mean(tf.cast(hit, tf.float32))

sess.run(tf.global_variables_initializer())
for i in range(3):
    start = (i * 20) % (records.shape[0] - 20)
    feed = {x: records[start:(start + 20), :], y_true: marks[start:(start + 20), :]}
    print("accuracy %g" % accuracy.eval(feed_dict=feed))
    train.run(feed_dict=feed)
