import tensorflow as tf

features, labels = tf.random.normal([40, 6]), tf.random.uniform([40], maxval=2, dtype=tf.int32)
dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(8)
validation = dataset.cache()
print(validation.element_spec)
