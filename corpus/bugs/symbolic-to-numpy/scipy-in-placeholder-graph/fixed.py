import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

angles = tf.placeholder(tf.float32, [None, 2], name="angles")
features = tf.concat([tf.sin(angles), tf.cos(angles)], axis=1)
weights = tf.get_variable("weights", [4, 1])
output = tf.matmul(features, weights)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(output, {angles: np.random.uniform(-np.pi, np.pi, (5, 2))}).shape)
