import argparse
import sys

import numpy as np
import tensorflow as tf


def conv(inp, nOut, k, s, name):
    with tf.variable_scope(name):
        nIn = int(inp.get_shape()[3])
        kernel = tf.get_variable("weights", [k, k, nIn, nOut], initializer=tf.truncated_normal_initializer(stddev=0.1))
        net = tf.nn.conv2d(inp, kernel, [1, s, s, 1], padding="SAME")
        biases = tf.get_variable("biases", [nOut], initializer=tf.constant_initializer())
        return tf.nn.relu(tf.nn.bias_add(net, biases))


def apool(inp, k, s, name):
    with tf.variable_scope(name):
        return tf.nn.avg_pool(inp, ksize=[1, k, k, 1], strides=[1, s, s, 1], padding="VALID")


def inference(images, keep_probability):
    net = conv(images, 8, 7, 2, "conv1")
    net = conv(net, 16, 3, 2, "conv2")
    net = conv(net, 28, 3, 2, "conv3")
    net = conv(net, 28, 3, 2, "conv4")
    net = apool(net, 2, 1, "pool")
    net = tf.layers.flatten(net)
    return tf.nn.dropout(net, keep_probability)


def center_loss(features, label, alfa, nrof_classes):
    nrof_features = features.get_shape()[1]
    centers = tf.get_variable(
        "centers",
        [nrof_classes, nrof_features],
        dtype=tf.float32,
        initializer=tf.constant_initializer(0),
        trainable=False,
    )
    label = tf.reshape(label, [-1])
    centers_batch = tf.gather(centers, label)
    diff = (1 - alfa) * (centers_batch - features)
    centers = tf.scatter_sub(centers, label, diff)
    loss = tf.reduce_mean(tf.square(features - centers_batch))
    return loss, centers


def main(args):
    images = np.random.rand(100, args.image_size, args.image_size, 3)
    labels = np.random.randint(0, args.people, 100)
    with tf.Graph().as_default():
        image_batch = tf.placeholder(tf.float32, (None, args.image_size, args.image_size, 3), name="image_batch")
        label_batch = tf.placeholder(tf.int32, (None,), name="label_batch")
        prelogits = inference(image_batch, 0.8)
        logits = tf.layers.dense(prelogits, args.people)
        center, _ = center_loss(prelogits, label_batch, 0.9, args.people)
        cross_entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=label_batch, logits=logits)
        total_loss = tf.reduce_mean(cross_entropy) + 0.1 * center
        train_op = tf.train.AdagradOptimizer(0.1).minimize(total_loss)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for start in range(0, 100 - args.batch_size + 1, args.batch_size):
                stop = start + args.batch_size
                feed_dict = {image_batch: images[start:stop], label_batch: labels[start:stop]}
                err, _ = sess.run([total_loss, train_op], feed_dict=feed_dict)
                print("Loss %2.3f" % err)


def parse_arguments(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("--image_size", type=int, default=64)
    parser.add_argument("--batch_size", type=int, default=30)
    parser.add_argument("--people", type=int, default=7)
    return parser.parse_args(argv)


if __name__ == "__main__":
    main(parse_arguments(sys.argv[1:]))
