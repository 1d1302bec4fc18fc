import numpy as np
import tensorflow as tf
m = tf.keras.Sequential([
    tf.keras.layers.Input((128, 3)),
    tf.keras.layers.Conv1D(16, 5, activation="relu"),
    tf.keras.layers.MaxPooling1D(4),
    tf.keras.layers.Conv1D(32, 5, activation="relu"),
    tf.keras.layers.MaxPooling1D(2),
    tf.keras.layers.Conv1D(64, 7),
    tf.keras.layers.GlobalMaxPooling1D(), tf.keras.layers.Dense(6)])
