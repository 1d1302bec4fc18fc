import itertools
import random

import numpy
import tensorflow as tf


DIGITS = "0123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CHARS = LETTERS + DIGITS


def softmax(a):
    exps = numpy.exp(a.astype(numpy.float64))
    return exps / numpy.sum(exps, axis=-1)[:, numpy.newaxis]


def sigmoid(a):
    return 1.0 / (1.0 + numpy.exp(-a))


OUTPUT_SHAPE = (16, 32)


def generate_code():
    return "{}{}{}{} {}{}{}".format(
        random.choice(LETTERS),
        random.choice(LETTERS),
        random.choice(DIGITS),
        random.choice(DIGITS),
        random.choice(LETTERS),
        random.choice(LETTERS),
        random.choice(LETTERS),
    ).replace(" ", "")


def generate_im():
    code = generate_code()
    im = numpy.random.rand(*OUTPUT_SHAPE)
    return im, code, random.random() > 0.5


def generate_ims(num_images):
    for _ in range(num_images):
        yield generate_im()


WINDOW_SHAPE = (16, 32)
CODE_LENGTH = 7
NUM_CHARS = 36


def weight_variable(shape):
    return tf.Variable(tf.truncated_normal(shape, stddev=0.1))


def bias_variable(shape):
    return tf.Variable(tf.constant(0.1, shape=shape))


def conv2d(x, W, stride=(1, 1), padding="SAME"):
    return tf.nn.conv2d(x, W, strides=[1, stride[0], stride[1], 1], padding=padding)


def max_pool(x, ksize=(2, 2), stride=(2, 2)):
    return tf.nn.max_pool(x, ksize=[1, ksize[0], ksize[1], 1], strides=[1, stride[0], stride[1], 1], padding="SAME")


def convolutional_layers():
    x = tf.placeholder(tf.float32, [None, None, None])
    W_conv1 = weight_variable([5, 5, 1, 8])
    b_conv1 = bias_variable([8])
    x_expanded = tf.expand_dims(x, 3)
    h_conv1 = tf.nn.relu(conv2d(x_expanded, W_conv1) + b_conv1)
    h_pool1 = max_pool(h_conv1)
    W_conv2 = weight_variable([5, 5, 8, 16])
    b_conv2 = bias_variable([16])
    h_conv2 = tf.nn.relu(conv2d(h_pool1, W_conv2) + b_conv2)
    h_pool2 = max_pool(h_conv2)
    return x, h_pool2, [W_conv1, b_conv1, W_conv2, b_conv2]


def get_training_model():
    x, conv_layer, conv_vars = convolutional_layers()
    W_fc1 = weight_variable([4 * 8 * 16, 64])
    b_fc1 = bias_variable([64])
    conv_layer_flat = tf.reshape(conv_layer, [-1, 4 * 8 * 16])
    h_fc1 = tf.nn.relu(tf.matmul(conv_layer_flat, W_fc1) + b_fc1)
    W_fc2 = weight_variable([64, 1 + CODE_LENGTH * NUM_CHARS])
    b_fc2 = bias_variable([1 + CODE_LENGTH * NUM_CHARS])
    y = tf.matmul(h_fc1, W_fc2) + b_fc2
    return x, y, conv_vars + [W_fc1, b_fc1, W_fc2, b_fc2]


def code_to_vec(p, code):
    def char_to_vec(c):
        y = numpy.zeros((len(CHARS),))
        y[CHARS.index(c)] = 1.0
        return y

    c = numpy.vstack([char_to_vec(c) for c in code])
    return numpy.concatenate([[1.0 if p else 0], c.flatten()])


def unzip(b):
    xs, ys = zip(*b)
    xs = numpy.array(xs)
    ys = numpy.array(ys)
    return xs, ys


def read_batches(batch_size):
    g = generate_ims(200)

    def gen_vecs():
        for im, c, p in itertools.islice(g, batch_size):
            yield im, code_to_vec(p, c)

    while True:
        batch = list(gen_vecs())
        if not batch:
            return
        yield unzip(batch)


def train(learn_rate, report_steps, batch_size):
    x, y, params = get_training_model()
    y_ = tf.placeholder(tf.float32, [None, 7 * NUM_CHARS + 1])
    digits_loss = tf.nn.softmax_cross_entropy_with_logits(
        logits=tf.reshape(y[:, 1:], [-1, NUM_CHARS]), labels=tf.reshape(y_[:, 1:], [-1, NUM_CHARS])
    )
    digits_loss = tf.reduce_sum(digits_loss)
    presence_loss = tf.nn.sigmoid_cross_entropy_with_logits(logits=y[:, :1], labels=y_[:, :1])
    presence_loss = 7 * tf.reduce_sum(presence_loss)
    loss = digits_loss + presence_loss
    train_step = tf.train.AdamOptimizer(learn_rate).minimize(loss)

    init = tf.global_variables_initializer()
    with tf.Session() as sess:
        sess.run(init)
        for batch_idx, (batch_xs, batch_ys) in enumerate(read_batches(batch_size)):
            sess.run(train_step, feed_dict={x: batch_xs, y_: batch_ys})
            if batch_idx % report_steps == 0:
                print(batch_idx, sess.run(loss, feed_dict={x: batch_xs, y_: batch_ys}))


if __name__ == "__main__":
    train(learn_rate=0.001, report_steps=2, batch_size=50)
