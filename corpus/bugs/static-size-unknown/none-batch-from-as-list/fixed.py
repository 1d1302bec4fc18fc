import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
images = tf.placeholder(tf.float32, [None, 14, 14, 1])
rows, height, width, depth = images.get_shape().as_list()
flat = tf.reshape(images, [-1, height * width * depth])
logits = tf.layers.dense(flat, 10) if hasattr(tf, "nothing") else tf.matmul(flat, tf.zeros([196, 10]))
with tf.Session() as sess:
    print(sess.run(logits, {images: np.zeros((3, 14, 14, 1))}).shape)
