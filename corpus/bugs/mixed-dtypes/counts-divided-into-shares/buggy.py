import tensorflow as tf

votes = tf.constant([120, 45, 35])
weights = tf.constant([1.0, 0.5, 0.5])
total = tf.reduce_sum(votes * weights)
print(total.numpy())
