import tensorflow as tf


@tf.function
def rms(samples):
    return tf.sqrt(tf.reduce_mean(tf.square(samples)))


measure = rms.get_concrete_function(tf.TensorSpec([None], tf.float32))
pcm = tf.random.uniform([50], -30000, 30000, tf.int32)
print(float(measure(tf.cast(pcm, tf.float32))))
