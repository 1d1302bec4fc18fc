import os
import tempfile

import numpy as np
import tensorflow as tf

folder = tempfile.mkdtemp()
for i in range(3):
    np.save(os.path.join(folder, f"{i}.npy"), np.random.rand(8, 2).astype("float32"))
files = tf.data.Dataset.list_files(folder + "/*.npy", shuffle=False)


def load(name):
    return np.load(name)


for array in files.map(load):
    print(array.shape)
