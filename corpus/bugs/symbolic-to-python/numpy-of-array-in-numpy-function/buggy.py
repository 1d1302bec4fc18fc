import tensorflow as tf
import numpy as np


def jitter(image):
    pixels = image.numpy()
    return (pixels + np.random.uniform(-0.1, 0.1, pixels.shape)).astype("float32")


def prepare(image):
    out = tf.numpy_function(jitter, [image], tf.float32)
    out.set_shape([8, 8, 1])
    return out


data = tf.data.Dataset.from_tensor_slices(tf.random.uniform([4, 8, 8, 1])).map(prepare).batch(2)
for batch in data:
    print(batch.shape)
