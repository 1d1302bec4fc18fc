import os
import tempfile

import numpy as np
import tensorflow as tf

folder = tempfile.mkdtemp()
for i in range(3):
    np.save(os.path.join(folder, f"{i}.npy"), np.random.rand(8, 2).astype("float32"))
files = tf.data.Dataset.list_files(folder + "/*.npy", shuffle=False)


def load(name):
    array = tf.numpy_function(lambda n: np.load(n.decode()), [name], tf.float32)
    return tf.ensure_shape(array, [8, 2])


for array in files.map(load):
    print(array.shape)
