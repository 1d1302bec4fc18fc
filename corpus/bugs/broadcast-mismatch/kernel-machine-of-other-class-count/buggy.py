import numpy as np
import tensorflow as tf

BATCH = 20
CLASSES = 3
GAMMA = -10.0

# three clouds of points in the plane
rng = np.random.RandomState(5)
centers = np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 2.0]])
which = rng.randint(CLASSES, size=90)
x_vals = centers[which] + rng.normal(scale=0.4, size=(90, 2))
y_vals = np.array([np.where(which == k, 1, -1) for k in range(CLASSES)])

x_data = tf.placeholder(tf.float32, [None, 2])
y_target = tf.placeholder(tf.float32, [CLASSES, None])
b = tf.Variable(tf.random_normal([2, BATCH]))

# radial kernel between all points of the batch
dist = tf.reshape(tf.reduce_sum(tf.square(x_data), 1), [-1, 1])
sq_dists = dist - 2.0 * tf.matmul(x_data, tf.transpose(x_data)) + tf.transpose(dist)
my_kernel = tf.exp(GAMMA * tf.abs(sq_dists))


def outer_rows(mat):
    """For each row its products with itself: (rows, n, n)."""
    first = tf.expand_dims(mat, 1)
    second = tf.reshape(first, [mat.shape[0], BATCH, 1])
    return tf.matmul(second, first)


first_term = tf.reduce_sum(b)
b_vec_cross = tf.matmul(tf.transpose(b), b)
y_target_cross = outer_rows(y_target)
second_term = tf.reduce_sum(my_kernel * (b_vec_cross * y_target_cross), [1, 2])
loss = tf.reduce_sum(tf.negative(first_term - second_term))
prediction_output = tf.matmul(y_target * b, my_kernel)
prediction = tf.argmax(prediction_output - tf.expand_dims(tf.reduce_mean(prediction_output, 1), 1), 0)
accuracy = tf.reduce_mean(tf.cast(tf.equal(prediction, tf.argmax(y_target, 0)), tf.float32))
train_step = tf.train.GradientDescentOptimizer(0.01).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(5):
        index = rng.choice(len(x_vals), size=BATCH)
        feed = {x_data: x_vals[index], y_target: y_vals[:, index]}
        sess.run(train_step, feed_dict=feed)
        print(sess.run([loss, accuracy], feed_dict=feed))
