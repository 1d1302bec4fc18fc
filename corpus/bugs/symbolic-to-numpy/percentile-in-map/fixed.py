import numpy as np
import tensorflow as tf


def equalise(scan):
    low = tf.reduce_min(scan)
    return (scan - low) / (tf.reduce_max(scan) - low)


scans = tf.data.Dataset.from_tensor_slices(tf.random.uniform([6, 16, 16]))
for scan in scans.map(equalise).batch(3):
    print(scan.shape)
