import tensorflow as tf

SOBEL = tf.constant([[1.0, 0.0, -1.0], [2.0, 0.0, -2.0], [1.0, 0.0, -1.0]])


def edges(images, channels):
    kernel = tf.reshape(SOBEL, [3, 3, 1, 1])
    kernel = tf.tile(kernel, [1, 1, channels, 1])
    return tf.nn.conv2d(images, kernel, strides=1, padding="SAME")


@tf.function
def edge_energy(rgb, depth):
    stacked = tf.concat([rgb, depth], axis=-1)
    response = edges(stacked, channels=rgb.shape[-1])
    return tf.reduce_mean(tf.abs(response), axis=[1, 2, 3])


rgb = tf.random.uniform([2, 48, 48, 3])
depth = tf.random.uniform([2, 48, 48, 1])
print(edge_energy(rgb, depth).numpy())
