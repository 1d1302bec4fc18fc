import numpy as np
import tensorflow as tf

heights = tf.constant([12.0, 40.0, 7.0])
scaled = heights * np.sqrt(0.5)
print(scaled.numpy())
