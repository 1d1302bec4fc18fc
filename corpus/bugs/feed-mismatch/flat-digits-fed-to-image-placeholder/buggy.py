import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.keras.datasets import mnist

tf.disable_v2_behavior()

(x_train, y_train), _ = mnist.load_data()
x_train = x_train[:320].astype("float32") / 255.0
x_train = x_train.reshape(-1, 28 * 28)
y_train = np.eye(10)[y_train[:320]]

images = tf.placeholder(tf.float32, [None, 28, 28, 1], name="images")
labels = tf.placeholder(tf.float32, [None, 10], name="labels")
kernel = tf.Variable(tf.random_normal([7, 7, 1, 6], stddev=0.1))
maps = tf.nn.relu(tf.nn.conv2d(images, kernel, [1, 7, 7, 1], "VALID"))
scores = tf.matmul(tf.reshape(maps, [-1, 96]), tf.Variable(tf.zeros([96, 10])))
loss = tf.losses.softmax_cross_entropy(labels, scores)
train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for start in range(0, 320, 64):
        part = slice(start, start + 64)
        sess.run(train, feed_dict={images: x_train[part], labels: y_train[part]})
    print("trained")
