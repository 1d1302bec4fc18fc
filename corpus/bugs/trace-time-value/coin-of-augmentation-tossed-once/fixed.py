import random

import tensorflow as tf

random.seed(1)
tf.random.set_seed(1)


def augment(image, label):
    if tf.random.uniform([]) < 0.5:
        image = tf.image.flip_left_right(image)
    angle = tf.random.uniform([], maxval=4, dtype=tf.int32)
    return tf.image.rot90(image, angle), label


gradient = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
dataset = tf.data.Dataset.from_tensor_slices((tf.repeat(gradient, 24, axis=0), tf.range(24)))
augmented = dataset.map(augment)
corners = {float(image[0, 0, 0]) for image, _ in augmented}
print(len(corners) > 1)
