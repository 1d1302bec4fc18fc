"""A digit classifier whose flattened size was worked out for another padding."""

import tensorflow as tf

images = tf.zeros([32, 28, 28, 1])
labels = tf.one_hot(tf.zeros([32], dtype=tf.int32), 10)

kernel = tf.Variable(tf.random.normal([5, 5, 1, 16]))
weights = tf.Variable(tf.random.normal([14 * 14 * 16, 10]))

maps = tf.nn.relu(tf.nn.conv2d(images, kernel, strides=1, padding="VALID"))
pooled = tf.nn.max_pool2d(maps, ksize=2, strides=2, padding="VALID")
flat = tf.reshape(pooled, [32, -1])
logits = tf.matmul(flat, weights)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels, logits))
