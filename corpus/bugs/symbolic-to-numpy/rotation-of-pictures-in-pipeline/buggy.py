import numpy as np
import tensorflow as tf


def augment(image):
    turns = tf.random.uniform([], maxval=4, dtype=tf.int32)
    image = np.rot90(image, turns)
    return tf.image.random_brightness(image, 0.1)


pictures = tf.data.Dataset.from_tensor_slices(tf.random.uniform([10, 12, 12, 3]))
pipeline = pictures.repeat(2).map(augment).batch(5)
shapes = {tuple(batch.shape) for batch in pipeline}
print(shapes)
