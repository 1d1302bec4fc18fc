import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def conv(x, n_out, stride, name):
    with tf.variable_scope(name):
        n_in = x.get_shape().as_list()[-1]
        kernel = tf.get_variable("kernel", [3, 3, n_in, n_out])
        offset = tf.get_variable("offset", [n_out], initializer=tf.zeros_initializer())
        out = tf.nn.conv2d(x, kernel, strides=[1, stride, stride, 1], padding="SAME")
        return tf.nn.relu(tf.nn.bias_add(out, offset))


spectrograms = tf.placeholder(tf.float32, [None, 40, 80, 1], name="spectrograms")
net = conv(spectrograms, 8, 2, "c1")
net = conv(net, 16, 2, "c2")
net = conv(net, 32, 2, "c3")
pooled = tf.nn.avg_pool(net, ksize=[1, 8, 8, 1], strides=[1, 1, 1, 1], padding="VALID")
features = tf.squeeze(tf.reduce_mean(pooled, axis=[1, 2], keepdims=True), axis=[1, 2])
print(features.get_shape().as_list())
