import numpy as np
import tensorflow as tf


class Normalizer(tf.Module):
    def __init__(self, radius):
        super().__init__()
        self.radius = tf.Variable(radius, trainable=False)

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    def __call__(self, cloud):
        centred = cloud - tf.reduce_mean(cloud, axis=0)
        scale = self.radius / tf.reduce_max(tf.norm(centred, axis=1))
        return centred * scale


normalize = Normalizer(1.0)
rng = np.random.default_rng(2)
clouds = {name: rng.normal(size=(count, 3)).astype("float32") for name, count in
          [("chair", 120), ("table", 87), ("lamp", 45), ("sofa", 203), ("desk", 98)]}
for name, cloud in clouds.items():
    extent = tf.reduce_max(normalize(cloud), axis=0)
    print(name, extent.numpy().round(2))
