import numpy as np
import tensorflow as tf

FEATURES = 6


def rows():
    rng = np.random.default_rng(0)
    for _ in range(10):
        values = rng.normal(size=FEATURES)
        yield values.astype("float32"), int(values[0] > 0)


signature = (tf.TensorSpec([FEATURES], tf.float32), tf.TensorSpec([], tf.int32))
dataset = tf.data.Dataset.from_generator(rows, output_signature=signature).batch(5)
for x, y in dataset:
    print(x.shape, y.shape)
