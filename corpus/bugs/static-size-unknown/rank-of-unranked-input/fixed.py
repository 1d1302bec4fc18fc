import tensorflow as tf


@tf.function
def to_batch(x):
    if len(x.shape) == 3:
        x = x[tf.newaxis]
    return tf.image.per_image_standardization(x)


print(to_batch(tf.random.uniform([8, 8, 3])).shape)
print(to_batch(tf.random.uniform([2, 8, 8, 3])).shape)
