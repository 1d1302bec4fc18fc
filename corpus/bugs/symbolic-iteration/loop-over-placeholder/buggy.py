import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()

frames = tf.placeholder(tf.float32, [6, 8])
weights = tf.get_variable("w", [8, 3])
scores = []
for frame in frames:
    scores.append(tf.matmul(frame[tf.newaxis], weights))
best = tf.argmax(tf.concat(scores, axis=0), axis=1)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(best, {frames: np.random.rand(6, 8)}).shape)
