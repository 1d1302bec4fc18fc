"""Glyph classifier as a TensorFlow 1 graph: placeholders, scopes, sessions, a partial last batch."""
from __future__ import print_function

import os
import tempfile

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)

flags = {
    "side": 20,
    "classes": 5,
    "batch": 32,
    "train_size": 110,      # deliberately no multiple of the batch
    "epochs": 2,
    "keep": 0.8,
}


def make_glyphs(count, side, classes, seed):
    rng = np.random.RandomState(seed)
    labels = rng.randint(0, classes, size=count)
    images = rng.normal(0, 0.2, size=(count, side, side))
    for k in range(count):
        images[k, labels[k] * 3:labels[k] * 3 + 4, :] += 1.0
    onehot = np.zeros((count, classes), dtype=np.float32)
    onehot[np.arange(count), labels] = 1
    return images.reshape(count, side * side).astype(np.float32), onehot


def variable(name, shape, wd=None):
    var = tf.get_variable(name, shape, initializer=tf.truncated_normal_initializer(stddev=0.1))
    if wd is not None:
        tf.add_to_collection("losses", tf.multiply(tf.nn.l2_loss(var), wd))
    return var


def conv_layer(x, n_out, size=3, stride=1, padding="SAME", scope=None):
    n_in = x.get_shape().as_list()[3]
    with tf.variable_scope(scope or "conv"):
        kernel = variable("kernel", [size, size, n_in, n_out])
        bias = tf.get_variable("bias", [n_out], initializer=tf.zeros_initializer())
        y = tf.nn.conv2d(x, kernel, [1, stride, stride, 1], padding=padding)
        return tf.nn.relu(tf.nn.bias_add(y, bias))


def flatten(x):
    size = 1
    for d in x.get_shape().as_list()[1:]:
        size *= d
    return tf.reshape(x, [-1, size]), size


def inference(pixels, keep_prob, side, classes):
    image = tf.reshape(pixels, [-1, side, side, 1])
    net = conv_layer(image, 8, scope="c1")
    net = tf.nn.max_pool(net, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    net = conv_layer(net, 12, size=5, padding="VALID", scope="c2")
    net = tf.nn.max_pool(net, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    with tf.variable_scope("fc"):
        flat, width = flatten(net)
        hidden = tf.nn.relu(tf.matmul(flat, variable("w", [width, 40], wd=1e-4)) + tf.Variable(tf.zeros([40])))
        hidden = tf.nn.dropout(hidden, rate=1.0 - keep_prob)
        return tf.matmul(hidden, variable("out", [40, classes])) + tf.Variable(tf.zeros([classes]))


def next_batches(images, labels, size):
    order = np.random.permutation(len(images))
    for start in range(0, len(images), size):
        rows = order[start:start + size]
        yield images[rows], labels[rows]


def main(_):
    side, classes = flags["side"], flags["classes"]
    train_x, train_y = make_glyphs(flags["train_size"], side, classes, seed=1)
    test_x, test_y = make_glyphs(50, side, classes, seed=2)

    with tf.Graph().as_default():
        tf.set_random_seed(4)
        x = tf.placeholder(tf.float32, [None, side * side], name="x")
        y = tf.placeholder(tf.float32, [None, classes], name="y")
        keep_prob = tf.placeholder_with_default(1.0, shape=(), name="keep_prob")
        logits = inference(x, keep_prob, side, classes)

        with tf.name_scope("loss"):
            xent = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits)
            tf.add_to_collection("losses", tf.reduce_mean(xent))
            loss = tf.add_n(tf.get_collection("losses"))
        step = tf.Variable(0, trainable=False, name="step")
        rate = tf.train.exponential_decay(0.01, step, 10, 0.9, staircase=True)
        optimizer = tf.train.AdamOptimizer(rate)
        grads = optimizer.compute_gradients(loss)
        clipped = [(tf.clip_by_norm(g, 5.0), v) for g, v in grads if g is not None]
        train_op = optimizer.apply_gradients(clipped, global_step=step)

        correct = tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1))
        accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
        top = tf.nn.top_k(tf.nn.softmax(logits), k=2)
        # distance of every row to every class centre, on purpose a (batch, classes) table
        centres = tf.Variable(tf.random_normal([classes, classes]), trainable=False)
        gaps = tf.reduce_sum(tf.square(tf.expand_dims(logits, 1) - tf.expand_dims(centres, 0)), axis=2)

        saver = tf.train.Saver()
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for epoch in range(flags["epochs"]):
                for bx, by in next_batches(train_x, train_y, flags["batch"]):
                    _, value = sess.run([train_op, loss], {x: bx, y: by, keep_prob: flags["keep"]})
                print("epoch %d loss %.3f" % (epoch, value))
            score, best, table = sess.run([accuracy, top, gaps], feed_dict={x: test_x, y: test_y})
            print("accuracy %.2f" % score, best.indices.shape, table.shape)
            with tempfile.TemporaryDirectory() as folder:
                path = saver.save(sess, os.path.join(folder, "glyphs"))
                saver.restore(sess, path)
            one = sess.run(logits, {x: test_x[:1]})
            print("first glyph", int(np.argmax(one)))


if __name__ == "__main__":
    tf.app.run()
