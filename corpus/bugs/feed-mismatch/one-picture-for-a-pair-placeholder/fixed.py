import numpy as np
import tensorflow as tf


def load_image(seed, size=64):
    """A square from the middle of a picture, scaled to 0..1."""
    picture = np.random.RandomState(seed).rand(80, 100, 3)
    short = min(picture.shape[:2])
    top = (picture.shape[0] - short) // 2
    left = (picture.shape[1] - short) // 2
    square = picture[top:top + short, left:left + short]
    rows = np.arange(size) * short // size
    return square[rows][:, rows]


class TinyVGG:
    def __init__(self, images):
        self.images = images
        self.conv1 = self.conv(images - 0.5, 8, "conv1")
        self.pool1 = tf.nn.max_pool(self.conv1, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
        self.conv2 = self.conv(self.pool1, 16, "conv2")
        self.pool2 = tf.nn.max_pool(self.conv2, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
        self.mean = tf.reduce_mean(self.pool2, axis=[1, 2])

    @staticmethod
    def conv(x, filters, name):
        with tf.variable_scope(name):
            w = tf.get_variable("filter", [3, 3, x.shape[-1], filters])
            b = tf.get_variable("biases", [filters], initializer=tf.zeros_initializer())
            return tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(x, w, [1, 1, 1, 1], "SAME"), b))


img1, img2 = load_image(1), load_image(2)
batch1 = img1.reshape((1, 64, 64, 3))
batch2 = img2.reshape((1, 64, 64, 3))
batch = np.concatenate((batch1, batch2), 0)

images = tf.placeholder("float", [2, 64, 64, 3])
with tf.name_scope("content_vgg"):
    vgg = TinyVGG(images)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    maps = sess.run(vgg.conv2, feed_dict={images: batch})
    for k in range(4):
        print("map", k, maps[0, :, :, k].max())
