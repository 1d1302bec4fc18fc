import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, None, 3]), tf.TensorSpec([])])
def adjust(image, contrast):
    mean = tf.reduce_mean(image, axis=[0, 1], keepdims=True)
    return tf.clip_by_value((image - mean) * contrast + mean, 0.0, 1.0)


photo = tf.random.uniform([6, 9, 3])
brighter = adjust(photo + 0.1, 1.3)
print(brighter.shape)
