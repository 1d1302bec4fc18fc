import numpy as np
import tensorflow as tf
from tensorflow import keras

inputs = keras.Input(shape=(5,))
hidden = keras.layers.Dense(10, activation="relu")(inputs)
outputs = keras.layers.Dense(1)(hidden)
model = keras.Model(inputs, outputs)
model.compile(optimizer="sgd", loss="hinge")

data = tf.data.Dataset.from_tensor_slices(
    (np.random.rand(64, 5).astype("float32"), np.sign(np.random.randn(64)).astype("float32"))
)
model.fit(data.batch(16), epochs=1, verbose=0)
