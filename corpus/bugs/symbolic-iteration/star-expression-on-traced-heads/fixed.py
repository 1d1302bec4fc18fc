import tensorflow as tf


@tf.function
def merge_heads(heads):
    swapped = tf.transpose(heads, [1, 0, 2, 3])
    return tf.concat(tf.unstack(swapped), axis=-1)


attention = tf.random.normal([2, 4, 5, 3])
merged = merge_heads(attention)
print(merged.shape)
