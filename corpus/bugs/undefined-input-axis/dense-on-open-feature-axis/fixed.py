import tensorflow as tf
from tensorflow.keras import layers

STEPS = 48


def encoder(width):
    days = layers.Input(shape=(STEPS, width))
    x = layers.Permute((2, 1))(days)
    x = layers.Dense(32, activation="relu")(x)
    x = layers.Permute((2, 1))(x)
    x = layers.Dense(8)(x)
    return tf.keras.Model(days, x)


enc = encoder(6)
print(enc.output_shape)
