import tensorflow as tf

BATCH = 32
EDGE = 28


def preprocess(flat, channels):
    images = tf.reshape(flat, [BATCH, EDGE, EDGE, channels])
    return tf.subtract(tf.div(images, 127.5), 1.0)


pixels = tf.placeholder(tf.float32, shape=[BATCH, EDGE * EDGE], name="pixels")
images = preprocess(pixels, channels=1)
with tf.variable_scope("discriminator"):
    kernel = tf.get_variable("kernel", [5, 5, int(images.get_shape()[-1]), 16])
    h0 = tf.nn.conv2d(images, kernel, strides=[1, 2, 2, 1], padding="SAME")
print(h0.get_shape())
