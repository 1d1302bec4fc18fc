import tensorflow as tf

values = tf.data.Dataset.from_tensor_slices(tf.random.normal([30]))
total = values.reduce(0, lambda state, value: tf.cast(state, tf.float32) + tf.abs(value))
print(float(total))
