import numpy as np
import tensorflow as tf


class Vgg(object):
    def __init__(self):
        self.params = []
        self.data_dict = {
            "conv1": [np.random.rand(3, 3, 3, 8).astype(np.float32), np.zeros(8, np.float32)],
            "conv2": [np.random.rand(3, 3, 8, 16).astype(np.float32), np.zeros(16, np.float32)],
        }

    def conv_layer(self, bottom, name):
        with tf.variable_scope(name, reuse=tf.AUTO_REUSE):
            w = tf.get_variable("w", initializer=tf.constant(self.data_dict[name][0]), trainable=False)
            b = tf.get_variable("b", initializer=tf.constant(self.data_dict[name][1]), trainable=False)
            self.params += [w, b]
            return tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(bottom, w, [1, 1, 1, 1], padding="SAME"), b))

    def build(self, rgb):
        with tf.variable_scope("vgg19", reuse=tf.AUTO_REUSE):
            x = self.conv_layer(rgb, "conv1")
            x = tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
            return self.conv_layer(x, "conv2")


BATCH_SIZE = 4
SIZE = 24
SCALE = 4


def generator(x):
    with tf.variable_scope("generator"):
        x = tf.layers.conv2d(x, 16, 3, padding="same", activation=tf.nn.relu)
        x = tf.layers.conv2d(x, 3 * SCALE * SCALE, 3, padding="same")
        return tf.depth_to_space(x, SCALE)


def load_pair():
    high = np.random.rand(SIZE * SCALE, SIZE * SCALE, 3)
    low = high[::SCALE, ::SCALE]
    return low, high


def main():
    x = tf.placeholder(tf.float32, [None, SIZE, SIZE, 3])
    t = tf.placeholder(tf.float32, [None, SIZE * SCALE, SIZE * SCALE, 3])
    y = generator(x)
    vgg = Vgg()
    real_phi = vgg.build(t)
    fake_phi = vgg.build(y)
    content_loss = tf.reduce_mean(tf.square(real_phi - fake_phi))
    pixel_loss = tf.reduce_mean(tf.abs(y - t))
    for t in vgg.params:
        print(t.name, t.shape)
    loss = content_loss + 0.01 * pixel_loss
    variables = [v for v in tf.trainable_variables() if "generator" in v.name]
    train = tf.train.AdamOptimizer(1e-4).minimize(loss, var_list=variables)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step in range(3):
            batch_x = np.zeros((BATCH_SIZE, SIZE, SIZE, 3))
            batch_t = np.zeros((BATCH_SIZE, SIZE * SCALE, SIZE * SCALE, 3))
            for i in range(BATCH_SIZE):
                batch_x[i], batch_t[i] = load_pair()
            _, value = sess.run([train, loss], feed_dict={x: batch_x, t: batch_t})
            print(step, value)


if __name__ == "__main__":
    main()
