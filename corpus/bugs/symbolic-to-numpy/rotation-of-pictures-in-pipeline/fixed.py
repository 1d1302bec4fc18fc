import numpy as np
import tensorflow as tf


def rotate(image, turns):
    return np.ascontiguousarray(np.rot90(image, turns))


def augment(image):
    turns = tf.random.uniform([], maxval=4, dtype=tf.int32)
    image = tf.numpy_function(rotate, [image, turns], tf.float32)
    image.set_shape([12, 12, 3])
    return tf.image.random_brightness(image, 0.1)


pictures = tf.data.Dataset.from_tensor_slices(tf.random.uniform([10, 12, 12, 3]))
pipeline = pictures.repeat(2).map(augment).batch(5)
shapes = {tuple(batch.shape) for batch in pipeline}
print(shapes)
