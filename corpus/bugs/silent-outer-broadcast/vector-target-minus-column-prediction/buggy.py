import tensorflow as tf


def start_values(shape):
    """Small random weights."""
    return tf.Variable(tf.truncated_normal(shape, stddev=0.1, dtype=tf.float64))


# intercept and dose per animal, measured response
design = tf.constant([[1.0, 0.5], [1.0, 1.0], [1.0, 1.5], [1.0, 2.0], [1.0, 2.5]], dtype=tf.float64)
response = tf.constant([0.9, 2.1, 2.8, 4.2, 5.1], dtype=tf.float64)

coef = start_values((2, 1))
fitted = tf.matmul(design, coef)
loss = tf.reduce_mean(tf.square(response - fitted))
train = tf.train.AdamOptimizer(0.05).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.initialize_all_variables())
    for i in range(50):
        sess.run(train)
        if i % 25 == 0:
            print("loss", sess.run(loss))
    print("coefficients", sess.run(coef).ravel())
