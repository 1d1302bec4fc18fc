import numpy as np
import tensorflow as tf

graph = tf.Graph()
with graph.as_default():
    samples = tf.compat.v1.placeholder(tf.float32, [None, 3], name="samples")
    centred = samples - tf.reduce_mean(samples, axis=0)
    covariance = tf.matmul(centred, centred, transpose_a=True)

volume = tf.linalg.det(covariance)
with tf.compat.v1.Session(graph=graph) as session:
    print(session.run(volume, {samples: np.random.rand(10, 3)}))
