import random

import numpy as np
import tensorflow as tf

random.seed(11)
BATCH = 30
KINDS = 6

photo = tf.placeholder(tf.float32, [None, 24, 24, 3])
kind = tf.placeholder(tf.int32, [None])
target = tf.one_hot(kind, KINDS)


def new_weights(shape):
    return tf.Variable(tf.truncated_normal(shape=shape, stddev=0.1))


kernel = new_weights([5, 5, 3, 8])
features = tf.nn.relu(tf.nn.conv2d(photo, kernel, strides=[1, 2, 2, 1], padding="SAME"))
flat = tf.reshape(features, [-1, 12 * 12 * 8])
scores = tf.matmul(flat, new_weights([12 * 12 * 8, KINDS])) + tf.Variable(tf.zeros([KINDS]))
probs = tf.nn.softmax(scores)

loss = -tf.reduce_sum(target * tf.log(tf.clip_by_value(probs, 1e-8, 1.0)))
train = tf.train.GradientDescentOptimizer(1e-3).minimize(loss)
hits = tf.equal(tf.argmax(probs, 1), tf.argmax(target, 1))
accuracy = tf.reduce_mean(tf.cast(hits, tf.float32))


def main():
    def fake_photos(count):
        photos = [np.random.normal(0, 1, [24, 24, 3]) for _ in range(count)]
        return photos, [random.randint(0, KINDS - 1) for _ in range(count)]

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step in range(4):
            photos, kinds = fake_photos(BATCH)
            if step % 2 == 0:
                print("accuracy", accuracy.eval(feed_dict={photo: photos, kind: kinds}))
            train.run(feed_dict={photo: photos, kind: kinds})


if __name__ == "__main__":
    main()
