import numpy as np
import tensorflow as tf

KEEP = [3, 5, 8]

x = np.random.rand(40, 5).astype("float32")
y = np.random.randint(0, 10, 40)
dataset = tf.data.Dataset.from_tensor_slices((x, y))
dataset = dataset.filter(lambda image, label: tf.reduce_any(label == KEEP))
labels = [int(label) for _, label in dataset]
print(sorted(set(labels)))
