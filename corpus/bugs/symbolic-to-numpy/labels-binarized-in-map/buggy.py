import numpy as np
import tensorflow as tf

RARE = 7


def binarize(image, label):
    target = np.where(label >= RARE, 1.0, 0.0)
    return tf.cast(image, tf.float32) / 255.0, target


images = np.random.randint(0, 256, (30, 8, 8, 1), dtype="uint8")
labels = np.random.randint(0, 10, 30)
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(30)
dataset = dataset.map(binarize, num_parallel_calls=tf.data.AUTOTUNE).batch(10)
for batch, targets in dataset.take(1):
    print(batch.shape, float(tf.reduce_sum(targets)))
