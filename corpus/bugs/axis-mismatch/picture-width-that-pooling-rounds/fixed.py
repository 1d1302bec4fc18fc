import argparse

import numpy as np
import tensorflow as tf


def conv_conv_pool(input_, n_filters, training, name, pool=True, activation=tf.nn.relu):
    net = input_
    with tf.variable_scope("layer{}".format(name)):
        for i, F in enumerate(n_filters):
            net = tf.layers.conv2d(net, F, (3, 3), activation=None, padding="same", name="conv_{}".format(i + 1))
            net = tf.layers.batch_normalization(net, training=training, name="bn_{}".format(i + 1))
            net = activation(net, name="relu{}_{}".format(name, i + 1))
        if pool is False:
            return net
        pool = tf.layers.max_pooling2d(net, (2, 2), strides=(2, 2), name="pool_{}".format(name))
        return net, pool


def upconv_2D(tensor, n_filter, name):
    return tf.layers.conv2d_transpose(
        tensor, filters=n_filter, kernel_size=2, strides=2, name="upsample_{}".format(name)
    )


def upconv_concat(inputA, input_B, n_filter, name):
    up_conv = upconv_2D(inputA, n_filter, name)
    return tf.concat([up_conv, input_B], axis=-1, name="concat_{}".format(name))


def make_unet(X, training):
    net = X / 127.5 - 1
    conv1, pool1 = conv_conv_pool(net, [4, 4], training, name=1)
    conv2, pool2 = conv_conv_pool(pool1, [8, 8], training, name=2)
    conv3, pool3 = conv_conv_pool(pool2, [16, 16], training, name=3)
    conv4 = conv_conv_pool(pool3, [32, 32], training, name=4, pool=False)
    up5 = upconv_concat(conv4, conv3, 16, name=5)
    conv5 = conv_conv_pool(up5, [16, 16], training, name=5, pool=False)
    up6 = upconv_concat(conv5, conv2, 8, name=6)
    conv6 = conv_conv_pool(up6, [8, 8], training, name=6, pool=False)
    up7 = upconv_concat(conv6, conv1, 4, name=7)
    conv7 = conv_conv_pool(up7, [4, 4], training, name=7, pool=False)
    return tf.layers.conv2d(conv7, 1, (1, 1), name="final", activation=tf.nn.sigmoid, padding="same")


def IOU_(y_pred, y_true):
    H, W, _ = y_pred.get_shape().as_list()[1:]
    pred_flat = tf.reshape(y_pred, [-1, H * W])
    true_flat = tf.reshape(y_true, [-1, H * W])
    intersection = 2 * tf.reduce_sum(pred_flat * true_flat, axis=1) + 1e-7
    denominator = tf.reduce_sum(pred_flat, axis=1) + tf.reduce_sum(true_flat, axis=1) + 1e-7
    return tf.reduce_mean(intersection / denominator)


def read_flags():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", default=1, type=int)
    parser.add_argument("--batch-size", default=2, type=int)
    parser.add_argument("--height", default=40, type=int)
    parser.add_argument("--width", default=64, type=int)
    return parser.parse_args()


def main(flags):
    train_x = np.random.randint(0, 255, (8, flags.height, flags.width, 3))
    train_y = np.random.randint(0, 2, (8, flags.height, flags.width, 1))
    tf.reset_default_graph()
    X = tf.placeholder(tf.float32, shape=[None, flags.height, flags.width, 3], name="X")
    y = tf.placeholder(tf.float32, shape=[None, flags.height, flags.width, 1], name="y")
    mode = tf.placeholder(tf.bool, name="mode")
    pred = make_unet(X, mode)
    loss = -IOU_(pred, y)
    update_ops = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    with tf.control_dependencies(update_ops):
        train_op = tf.train.AdamOptimizer().minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(flags.epochs):
            for step in range(0, len(train_x), flags.batch_size):
                X_batch = train_x[step : step + flags.batch_size]
                y_batch = train_y[step : step + flags.batch_size]
                _, cost = sess.run([train_op, loss], feed_dict={X: X_batch, y: y_batch, mode: True})
            print(epoch, cost)


if __name__ == "__main__":
    main(read_flags())
