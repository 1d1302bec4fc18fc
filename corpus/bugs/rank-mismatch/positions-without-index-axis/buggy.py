import tensorflow as tf
t = tf.zeros((5, 3))
t = tf.tensor_scatter_nd_update(t, [1, 3], tf.ones((2, 3)))
