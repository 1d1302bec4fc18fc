import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

x = tf.placeholder(tf.float32, [None, 3])
w = tf.get_variable("w", [3, 1])
prior = tf.get_variable("prior", [3, 1], initializer=tf.zeros_initializer())
energy = tf.reduce_mean(tf.square(tf.matmul(x, w)))
slopes = tf.gradients(energy + tf.reduce_sum(tf.square(w - prior)), [w, prior])

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    values = sess.run(slopes, {x: [[1.0, 2.0, 3.0]]})
    print([value.shape for value in values])
