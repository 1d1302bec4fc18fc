import numpy as np
import tensorflow as tf


def conv2d(x, filters, name):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [5, 5, x.get_shape()[-1], filters],
                            initializer=tf.truncated_normal_initializer(stddev=0.02))
        b = tf.get_variable("b", [filters], initializer=tf.constant_initializer(0.0))
        return tf.nn.bias_add(tf.nn.conv2d(x, w, strides=[1, 2, 2, 1], padding="SAME"), b)


def deconv2d(x, shape, name):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [5, 5, shape[-1], x.get_shape()[-1]],
                            initializer=tf.random_normal_initializer(stddev=0.02))
        b = tf.get_variable("b", [shape[-1]], initializer=tf.constant_initializer(0.0))
        return tf.nn.bias_add(tf.nn.conv2d_transpose(x, w, output_shape=shape, strides=[1, 2, 2, 1]), b)


class Color(object):
    def __init__(self, imgsize=64, batchsize=2):
        self.image_size, self.batch_size = imgsize, batchsize
        self.gf_dim, self.df_dim = 4, 4
        size = [batchsize, imgsize, imgsize]
        self.line_images = tf.placeholder(tf.float32, size + [1])
        self.color_images = tf.placeholder(tf.float32, size + [3])
        self.real_images = tf.placeholder(tf.float32, size + [3])

        combined = tf.concat([self.line_images, self.color_images], 3)
        self.generated = self.generator(combined)
        self.real_AB = tf.concat([combined, self.real_images], 3)
        self.fake_AB = tf.concat([combined, self.generated], 3)
        with tf.variable_scope("d"):
            self.real_logits = self.discriminator(self.real_AB)
        with tf.variable_scope("d", reuse=True):
            self.fake_logits = self.discriminator(self.fake_AB)
        self.g_loss = tf.reduce_mean(tf.abs(self.real_images - self.generated))

    def generator(self, image):
        s, n, f = self.image_size, self.batch_size, self.gf_dim
        e1 = conv2d(image, f, "e1")
        e2 = conv2d(tf.nn.leaky_relu(e1), f * 2, "e2")
        e3 = conv2d(tf.nn.leaky_relu(e2), f * 4, "e3")
        e4 = conv2d(tf.nn.leaky_relu(e3), f * 8, "e4")
        d1 = conv2d_same = tf.nn.relu(e4)
        with tf.variable_scope("out"):
            w = tf.get_variable("w", [3, 3, f * 8, 3])
            return tf.nn.tanh(tf.nn.conv2d(d1, w, strides=[1, 1, 1, 1], padding="SAME"))

    def discriminator(self, image):
        h = conv2d(image, self.df_dim, "h0")
        h = conv2d(tf.nn.leaky_relu(h), self.df_dim * 2, "h1")
        return tf.reduce_mean(h, axis=[1, 2, 3])


model = Color()
feed = {
    model.line_images: np.zeros((2, 64, 64, 1)),
    model.color_images: np.zeros((2, 64, 64, 3)),
    model.real_images: np.zeros((2, 64, 64, 3)),
}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([model.g_loss, model.fake_logits], feed_dict=feed))
