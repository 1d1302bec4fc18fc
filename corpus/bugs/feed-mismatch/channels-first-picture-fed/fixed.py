import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

SIZE = 96


def load_picture(seed):
    """Stand-in for the camera: height x width x colour."""
    return np.random.RandomState(seed).randint(0, 256, size=(SIZE, SIZE, 3)).astype(np.float32)


picture = load_picture(4) / 255.0
batch = np.expand_dims(picture, axis=0)

frames = tf.placeholder(tf.float32, [None, SIZE, SIZE, 3])
brightness = tf.reduce_mean(frames, axis=[1, 2, 3])
small = tf.image.resize_bilinear(frames, [SIZE // 4, SIZE // 4])

with tf.Session() as sess:
    light, thumb = sess.run([brightness, small], feed_dict={frames: batch})
    print(light, thumb.shape)
