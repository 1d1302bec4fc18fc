import numpy as np
import tensorflow as tf

vocabulary, dim, length, classes = 200, 16, 12, 3
ids = tf.placeholder(tf.int32, [None, length], name="ids")
labels = tf.placeholder(tf.int32, [None], name="labels")
table = tf.Variable(tf.random_uniform([vocabulary, dim], -1.0, 1.0))
embedded = tf.nn.embedding_lookup(table, ids)
W = tf.Variable(tf.truncated_normal([dim, classes]))
b = tf.Variable(tf.zeros([classes]))
pooled = tf.reduce_mean(embedded, axis=1)
scores = tf.tensordot(pooled, W, axes=[[-1], [0]]) + b
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=scores))
train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train, {ids: np.zeros((5, length)), labels: np.zeros(5)})
