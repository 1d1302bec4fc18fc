import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

is_training = tf.placeholder(tf.bool, [], name="is_training")
x = tf.placeholder(tf.float32, [None, 6])
kernel = tf.get_variable("kernel", [6, 4])
hidden = tf.nn.relu(tf.matmul(x, kernel))
if is_training:
    hidden = tf.nn.dropout(hidden, rate=0.5)
total = tf.reduce_sum(hidden)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(total, {x: [[1.0] * 6], is_training: False}))
