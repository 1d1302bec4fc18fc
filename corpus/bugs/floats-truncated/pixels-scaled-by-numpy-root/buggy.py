import numpy as np
import tensorflow as tf

heights = tf.constant([12, 40, 7])
scaled = heights * np.sqrt(0.5)
print(scaled.numpy())
