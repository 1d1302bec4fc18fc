import tempfile

import numpy as np
import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.Input((7,), name="sensors"), keras.layers.Dense(5, activation="relu"), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(np.random.rand(10, 7), np.random.rand(10, 1), verbose=0)
folder = tempfile.mkdtemp()
model.export(folder, verbose=False)

service = tf.saved_model.load(folder)
window = tf.random.uniform([4, 8])
print(service.serve(window).shape)
