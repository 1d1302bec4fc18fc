import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32), tf.TensorSpec([2], tf.float32)])
def mean_distance(points, centre):
    distances = tf.norm(points - centre, axis=1)
    return tf.reduce_sum(distances) / points.shape[0]


for count in (3, 8):
    print(float(mean_distance(tf.random.normal([count, 2]), tf.zeros([2]))))
