import random

import numpy as np
import tensorflow as tf

random.seed(5)
PATIENTS = 120
MARKERS = 8

samples = np.random.normal(0, 1.0, [PATIENTS, MARKERS])
diagnosis = [[random.randint(0, 1) for _ in range(PATIENTS)]]

columns = len(samples[0])
inputs = tf.placeholder("float", shape=[None, columns])
labels = tf.placeholder("float")


def model(batch):
    kernel = tf.Variable(tf.zeros([columns, 2]))
    offset = tf.Variable(tf.zeros([2]))
    return tf.matmul(batch, kernel) + offset


def fit(batch):
    scores = model(batch)
    losses = tf.nn.softmax_cross_entropy_with_logits(logits=scores, labels=labels)
    cost = tf.reduce_mean(losses)
    update = tf.train.GradientDescentOptimizer(1e-3).minimize(cost)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    for epoch in range(5):
        _, value = sess.run([update, cost], feed_dict={inputs: samples, labels: diagnosis})
        print("epoch %d cost %g" % (epoch, value))


fit(inputs)
