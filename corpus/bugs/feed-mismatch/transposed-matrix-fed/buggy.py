import numpy as np
import tensorflow as tf

N_SENSORS = 14
N_SAMPLES = 90

readings = np.vstack([np.sin(np.arange(N_SAMPLES) * (k + 1) / 9.0) for k in range(N_SENSORS)])

with tf.Graph().as_default():
    x = tf.placeholder(tf.float32, shape=(None, N_SENSORS), name="readings")
    with tf.variable_scope("encoder"):
        enc_w = tf.get_variable("w", shape=[N_SENSORS, 3])
        code = tf.nn.tanh(tf.matmul(x, enc_w))
    with tf.variable_scope("decoder"):
        dec_w = tf.get_variable("w", shape=[3, N_SENSORS])
        rebuilt = tf.matmul(code, dec_w)
    cost = tf.reduce_mean(tf.squared_difference(rebuilt, x))
    train_op = tf.train.RMSPropOptimizer(0.01).minimize(cost)

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(3):
            _, c = sess.run([train_op, cost], {x: readings})
            print(epoch, c)
