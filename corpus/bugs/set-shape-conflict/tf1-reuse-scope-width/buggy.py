import numpy as np
import tensorflow as tf


def encoder(inputs, hidden, reuse=None):
    with tf.variable_scope("encoder", reuse=reuse):
        w = tf.get_variable("w", shape=[inputs.get_shape()[1], hidden])
        b = tf.get_variable("b", shape=[hidden], initializer=tf.constant_initializer(0.0))
        return tf.nn.tanh(tf.nn.xw_plus_b(inputs, w, b))


question = tf.placeholder(tf.float32, [None, 40], name="question")
answer = tf.placeholder(tf.float32, [None, 60], name="answer")
q = encoder(question, 20)
a = encoder(answer, 20, reuse=True)
similarity = tf.reduce_sum(q * a, axis=1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    width = answer.get_shape().as_list()[1]
    print(sess.run(similarity, {question: np.zeros((3, 40)), answer: np.zeros((3, width))}))
