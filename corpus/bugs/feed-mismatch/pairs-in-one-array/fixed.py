import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, Model
def tower():
    inp = layers.Input((28, 28, 1))
    x = layers.Flatten()(inp)
    return Model(inp, layers.Dense(32, activation="relu")(x))
t = tower()
a, b = layers.Input((28, 28, 1)), layers.Input((28, 28, 1))
merged = layers.Lambda(lambda z: tf.abs(z[0] - z[1]))([t(a), t(b)])
m = Model([a, b], layers.Dense(1, activation="sigmoid")(merged))
m.compile("adam", "binary_crossentropy")
pairs = np.random.rand(40, 2, 28, 28, 1)
m.fit([pairs[:, 0], pairs[:, 1]], np.random.randint(0, 2, 40), verbose=0)
