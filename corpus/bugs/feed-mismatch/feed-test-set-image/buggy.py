import numpy as np
import tensorflow as tf


def load(count):
    rng = np.random.RandomState(count)
    images = rng.rand(count, 14, 14)
    labels = np.eye(5)[rng.randint(0, 5, count)]
    return images, labels


def flatten(images):
    return images.reshape(images.shape[0], -1)


train_images, train_labels = load(50)
test_images, test_labels = load(20)
x = tf.placeholder(tf.float32, shape=[None, 196])
y_true = tf.placeholder(tf.float32, shape=[None, 5])
weights = tf.Variable(tf.truncated_normal([196, 5], stddev=0.1))
logits = tf.matmul(x, weights)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y_true, logits=logits))
step = tf.train.AdamOptimizer().minimize(loss)
correct = tf.equal(tf.argmax(logits, 1), tf.argmax(y_true, 1))
accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(10):
        sess.run(step, feed_dict={x: flatten(train_images), y_true: train_labels})
    print(accuracy.eval(feed_dict={x: test_images, y_true: test_labels}, session=sess))
