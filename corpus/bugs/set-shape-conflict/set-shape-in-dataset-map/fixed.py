import numpy as np
import tensorflow as tf

SIDE = 40

scans = np.random.rand(24, 32, 32, 1).astype("float32")
labels = np.random.randint(0, 3, size=24)


def prepare(scan, label):
    scan = tf.image.resize(scan, (SIDE, SIDE))
    scan = tf.image.grayscale_to_rgb(scan)
    scan.set_shape([SIDE, SIDE, 3])
    return scan, tf.one_hot(label, 3)


dataset = tf.data.Dataset.from_tensor_slices((scans, labels))
dataset = dataset.shuffle(24).map(prepare).batch(8)

for batch, targets in dataset:
    print(batch.shape, targets.shape)
