import numpy as np
import tensorflow as tf


class Smoother(tf.Module):
    def __init__(self, width):
        super().__init__()
        self.kernel = tf.Variable(np.ones(width, "float32") / width)

    @tf.function
    def __call__(self, window):
        values = tf.convert_to_tensor(window, tf.float32)
        return tf.reduce_sum(values * self.kernel)


prices = [float(p) for p in np.cumsum(np.random.randn(60)) + 100.0]
smooth = Smoother(5)
averages = []
for end in range(5, len(prices)):
    averages.append(smooth(tf.constant(prices[end - 5 : end])))
print(len(averages), averages[-1].numpy())
