import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.set_random_seed(12)

# parity of three bits
bits = [[0., 0., 0.], [0., 0., 1.], [0., 1., 0.], [0., 1., 1.],
        [1., 0., 0.], [1., 0., 1.], [1., 1., 0.], [1., 1., 1.]]
parity = [[0.], [1.], [1.], [0.], [1.], [0.], [0.], [1.]]

inputs = tf.placeholder(tf.float32, shape=[8, 3])
wanted = tf.placeholder(tf.float32, shape=[8, 1])

W1 = tf.Variable(tf.random_uniform([3, 6], -1, 1))
b1 = tf.Variable(tf.zeros([6]))
W2 = tf.Variable(tf.random_uniform([6, 1], -1, 1))
b2 = tf.Variable(tf.zeros([1]))

hidden = tf.tanh(tf.matmul(inputs, W1) + b1)
output = tf.sigmoid(tf.matmul(hidden, W2) + b2)

loss = tf.reduce_mean(tf.square(wanted - output))
step = tf.train.AdamOptimizer(0.05).minimize(loss)

correct = tf.equal(tf.argmax(wanted, 1), tf.argmax(output, 1))
accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(60):
        sess.run(step, feed_dict={inputs: bits, wanted: parity})
    score = sess.run(accuracy, feed_dict={inputs: bits, wanted: parity})
    print("accuracy: " + str(score * 100) + "%")
