"""Copies a linear model trained elsewhere into a Keras layer."""
import numpy as np
import tensorflow as tf

FEATURES, TARGETS = 10, 3

# stored as one row per target
coef = np.random.default_rng(1).normal(size=(TARGETS, FEATURES))
intercept = np.zeros(TARGETS)

layer = tf.keras.layers.Dense(TARGETS)
layer.build((None, FEATURES))
layer.set_weights([coef.T, intercept])

x = np.random.default_rng(2).normal(size=(7, FEATURES)).astype("float32")
difference = layer(x).numpy() - (x @ coef.T + intercept)
print("largest difference", np.abs(difference).max())
