import numpy as np
import tensorflow as tf


def samples():
    for i in range(5):
        yield np.ones(4, "float32") * i, i


spec = (tf.TensorSpec([4], tf.float32), tf.TensorSpec([], tf.int32))
data = tf.data.Dataset.from_generator(samples, output_signature=spec)
for row, number in data:
    print(row.shape, int(number))
