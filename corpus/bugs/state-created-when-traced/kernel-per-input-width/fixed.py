import tensorflow as tf


class Project(tf.Module):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.kernels = {}

    def prepare(self, *widths):
        for width in widths:
            self.kernels[width] = tf.Variable(tf.random.normal([width, self.units]))

    @tf.function
    def __call__(self, x):
        width = x.shape[-1]
        return tf.nn.relu(x @ self.kernels[width])


project = Project(6)
project.prepare(8, 12)
text = project(tf.random.normal([3, 8]))
image = project(tf.random.normal([3, 12]))
print(tf.concat([text, image], axis=1).shape)
