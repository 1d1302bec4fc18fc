import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
samples = rng.normal(size=(300, 3)).astype("float32")
targets = (samples @ np.array([1.0, -1.0, 0.5], "float32")).astype("float32")
w = tf.Variable(tf.zeros([3]))


@tf.function
def epoch():
    error = 0.0
    for x, y in zip(samples, targets):
        gap = tf.tensordot(w, x, 1) - y
        w.assign_sub(0.05 * gap * x)
        error += gap**2
    return error


print(float(epoch()), w.numpy())
