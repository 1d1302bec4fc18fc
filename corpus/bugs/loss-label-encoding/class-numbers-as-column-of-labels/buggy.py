import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
features = tf.placeholder(tf.float32, [None, 8])
target = tf.placeholder(tf.float32, [None, 1])
weights = tf.get_variable("weights", [8, 6])
logits = tf.matmul(features, weights)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=target, logits=logits))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(session.run(loss, {features: np.ones((3, 8)), target: [[0.0], [5.0], [2.0]]}))
