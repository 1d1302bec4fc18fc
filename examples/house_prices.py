"""A regression whose loss is an average over all pairs: it runs, and it learns nothing."""

import tensorflow as tf

rooms = tf.random.normal([64, 5])
prices = tf.random.normal([64])

weights = tf.Variable(tf.zeros([5, 1]))

with tf.GradientTape() as tape:
    predicted = tf.matmul(rooms, weights)
    loss = tf.reduce_mean(tf.square(predicted - prices))
weights.assign_sub(0.1 * tape.gradient(loss, weights))
