import argparse

import numpy as np
import tensorflow as tf


def shuffle_data(data, labels):
    idx = np.arange(len(labels))
    np.random.shuffle(idx)
    return data[idx, ...], labels[idx], idx


def load_blocks(rooms, points, channels=9, classes=13):
    data = np.random.rand(rooms, points, channels).astype(np.float32)
    label = np.random.randint(0, classes, (rooms, points)).astype(np.int32)
    return data, label


def _variable_on_cpu(name, shape, initializer):
    with tf.device("/cpu:0"):
        return tf.get_variable(name, shape, initializer=initializer, dtype=tf.float32)


def conv2d(inputs, num_output_channels, kernel_size, scope, stride=[1, 1], padding="SAME", activation_fn=tf.nn.relu):
    with tf.variable_scope(scope) as sc:
        kernel_h, kernel_w = kernel_size
        num_in_channels = inputs.get_shape()[-1].value
        kernel = _variable_on_cpu(
            "weights",
            [kernel_h, kernel_w, num_in_channels, num_output_channels],
            tf.glorot_uniform_initializer(),
        )
        stride_h, stride_w = stride
        outputs = tf.nn.conv2d(inputs, kernel, [1, stride_h, stride_w, 1], padding=padding)
        biases = _variable_on_cpu("biases", [num_output_channels], tf.constant_initializer(0.0))
        outputs = tf.nn.bias_add(outputs, biases)
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return outputs


def max_pool2d(inputs, kernel_size, scope, stride=[2, 2], padding="VALID"):
    with tf.variable_scope(scope):
        kernel_h, kernel_w = kernel_size
        stride_h, stride_w = stride
        return tf.nn.max_pool(
            inputs, ksize=[1, kernel_h, kernel_w, 1], strides=[1, stride_h, stride_w, 1], padding=padding
        )


def fully_connected(inputs, num_outputs, scope, activation_fn=tf.nn.relu):
    with tf.variable_scope(scope):
        num_input_units = inputs.get_shape()[-1].value
        weights = _variable_on_cpu("weights", [num_input_units, num_outputs], tf.glorot_uniform_initializer())
        outputs = tf.matmul(inputs, weights)
        biases = _variable_on_cpu("biases", [num_outputs], tf.constant_initializer(0.0))
        outputs = tf.nn.bias_add(outputs, biases)
        return activation_fn(outputs) if activation_fn is not None else outputs


def placeholder_inputs(batch_size, num_point):
    pointclouds_pl = tf.placeholder(tf.float32, shape=(batch_size, num_point, 9))
    labels_pl = tf.placeholder(tf.int32, shape=(batch_size, num_point))
    return pointclouds_pl, labels_pl


def get_model(point_cloud, is_training):
    batch_size = point_cloud.get_shape()[0].value
    num_point = point_cloud.get_shape()[1].value
    input_image = tf.expand_dims(point_cloud, -1)
    net = conv2d(input_image, 16, [1, 9], "conv1", padding="VALID")
    net = conv2d(net, 16, [1, 1], "conv2", padding="VALID")
    points_feat1 = conv2d(net, 32, [1, 1], "conv3", padding="VALID")
    pc_feat1 = max_pool2d(points_feat1, [num_point, 1], "maxpool1")
    pc_feat1 = tf.reshape(pc_feat1, [batch_size, -1])
    pc_feat1 = fully_connected(pc_feat1, 16, "fc1")
    pc_feat1_expand = tf.tile(tf.reshape(pc_feat1, [batch_size, 1, 1, -1]), [1, num_point, 1, 1])
    points_feat1_concat = tf.concat(axis=3, values=[points_feat1, pc_feat1_expand])
    net = conv2d(points_feat1_concat, 32, [1, 1], "conv4")
    net = conv2d(net, 13, [1, 1], "conv5", activation_fn=None)
    return tf.squeeze(net, [2])


def get_loss(pred, label):
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=pred, labels=label)
    return tf.reduce_mean(loss)


parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int, default=0, help="GPU to use [default: GPU 0]")
parser.add_argument("--num_point", type=int, default=64, help="Point number [default: 64]")
parser.add_argument("--max_epoch", type=int, default=2, help="Epochs to run")
parser.add_argument("--batch_size", type=int, default=8, help="Batch Size during training")
parser.add_argument("--learning_rate", type=float, default=0.001)
FLAGS = parser.parse_args()

BATCH_SIZE = FLAGS.batch_size
NUM_POINT = FLAGS.num_point
MAX_EPOCH = FLAGS.max_epoch
BLOCK_POINTS = 256

train_data, train_label = load_blocks(40, BLOCK_POINTS)


def train():
    with tf.Graph().as_default():
        pointclouds_pl, labels_pl = placeholder_inputs(BATCH_SIZE, NUM_POINT)
        is_training_pl = tf.placeholder(tf.bool, shape=())
        pred = get_model(pointclouds_pl, is_training_pl)
        loss = get_loss(pred, labels_pl)
        train_op = tf.train.AdamOptimizer(FLAGS.learning_rate).minimize(loss)
        sess = tf.Session()
        sess.run(tf.global_variables_initializer())
        ops = {
            "pointclouds_pl": pointclouds_pl,
            "labels_pl": labels_pl,
            "is_training_pl": is_training_pl,
            "pred": pred,
            "loss": loss,
            "train_op": train_op,
        }
        for epoch in range(MAX_EPOCH):
            print("**** EPOCH %03d ****" % epoch)
            train_one_epoch(sess, ops)


def train_one_epoch(sess, ops):
    is_training = True
    current_data, current_label, _ = shuffle_data(train_data[:, 0:NUM_POINT, :], train_label)
    file_size = current_data.shape[0]
    num_batches = file_size // BATCH_SIZE
    loss_sum = 0
    for batch_idx in range(num_batches):
        start_idx = batch_idx * BATCH_SIZE
        end_idx = (batch_idx + 1) * BATCH_SIZE
        feed_dict = {
            ops["pointclouds_pl"]: current_data[start_idx:end_idx, :, :],
            ops["labels_pl"]: current_label[start_idx:end_idx],
            ops["is_training_pl"]: is_training,
        }
        _, loss_val, pred_val = sess.run([ops["train_op"], ops["loss"], ops["pred"]], feed_dict=feed_dict)
        loss_sum += loss_val
    print("mean loss: %f" % (loss_sum / float(num_batches)))


if __name__ == "__main__":
    train()
