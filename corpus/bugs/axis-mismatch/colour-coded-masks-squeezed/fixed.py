import numpy as np
import tensorflow as tf

IMAGE_DIMS = [1, 32, 32, 3]
NUM_CLASSES = 3


def masks_on_disk(count):
    """Labels as they come from the drawing program: a colour for each class."""
    rng = np.random.RandomState(5)
    classes = rng.randint(0, NUM_CLASSES, size=(count, 32, 32))
    return classes[..., None].astype(np.uint8)


def conv(x, filters, name):
    with tf.variable_scope(name):
        kernel = tf.get_variable("kernel", [3, 3, x.get_shape().as_list()[3], filters])
        x = tf.nn.conv2d(x, kernel, strides=[1, 1, 1, 1], padding="SAME")
        return tf.nn.relu(x)


def plain_net(image):
    x = conv(image, 8, "conv1")
    for depth in range(3):
        x = conv(x, 8, "conv%d" % (depth + 2))
    return conv(x, NUM_CLASSES, "scores")


images = np.random.rand(6, 32, 32, 3).astype(np.float32)
masks = masks_on_disk(6)
dataset = tf.data.Dataset.from_tensor_slices((images, masks)).repeat().batch(2, drop_remainder=True)
image, label = tf.data.make_one_shot_iterator(dataset).get_next()

logits = plain_net(image)
label = tf.squeeze(tf.cast(label, tf.int32), 3)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=label, logits=logits))
train_op = tf.train.GradientDescentOptimizer(0.01).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(3):
        _, value = sess.run([train_op, loss])
        print("step %d loss %.4f" % (step, value))
