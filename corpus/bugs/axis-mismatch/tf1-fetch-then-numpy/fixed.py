import numpy as np
import tensorflow as tf

graph = tf.Graph()
with graph.as_default():
    x = tf.placeholder(tf.float32, [None, 30], name="x")
    w1 = tf.Variable(tf.random_normal([30, 12]))
    hidden = tf.nn.sigmoid(tf.matmul(x, w1), name="hidden")
    w2 = tf.Variable(tf.random_normal([12, 4]))
    out = tf.matmul(hidden, w2)
    init = tf.global_variables_initializer()


def whiten(features, keep):
    centered = features - features.mean(axis=0)
    u, s, vt = np.linalg.svd(centered, full_matrices=False)
    return centered, vt[:keep].T


with tf.Session(graph=graph) as sess:
    sess.run(init)
    activations, scores = sess.run([hidden, out], feed_dict={x: np.random.rand(40, 30)})
    centered, basis = whiten(activations, 3)
projected = centered @ basis
print(projected.shape)
