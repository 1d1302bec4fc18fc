import tensorflow as tf


@tf.function
def split_valid(rows, quality):
    valid = tf.boolean_mask(rows, quality > 0.5)
    half = valid.shape[0] // 2
    return valid[:half], valid[half:]


rows = tf.reshape(tf.range(30.0), [10, 3])
first, second = split_valid(rows, tf.random.uniform([10], seed=6))
print(first.shape, second.shape)
