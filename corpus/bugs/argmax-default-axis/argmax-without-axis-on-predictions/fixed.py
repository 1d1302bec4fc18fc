import numpy as np
import tensorflow as tf

flowers = np.random.rand(30, 4).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(3, "softmax")])
probabilities = model(flowers)
species = tf.argmax(probabilities, axis=-1)
print("predicted:", species.numpy())
