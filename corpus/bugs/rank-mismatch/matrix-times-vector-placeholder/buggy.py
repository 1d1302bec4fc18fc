import numpy as np
import tensorflow as tf

# state update of a small linear system: s' = A s
state = np.array([0.4, -0.1, 0.7])

s = tf.placeholder("float", shape=[3])
A = tf.Variable(tf.eye(3) * 0.9)
nxt = tf.matmul(A, s)

with tf.Session() as sess:
    sess.run(tf.initialize_all_variables())
    for t in range(5):
        out = sess.run(nxt, feed_dict={s: state})
        state = np.ravel(out)
    print(state)
