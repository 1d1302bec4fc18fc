import numpy as np
import tensorflow as tf


def batches():
    for number in range(100):
        yield np.full((4,), number, "float32")


source = batches()
total = tf.Variable(0.0)


@tf.function
def consume():
    batch = next(source)
    total.assign_add(tf.reduce_mean(batch))


for _ in range(4):
    consume()
print(total.numpy())
