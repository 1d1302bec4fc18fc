import numpy as np
import tensorflow as tf
from tensorflow import keras

model = keras.Sequential(
    [keras.Input((10, 10, 3)), keras.layers.Conv2D(6, 3, activation="relu"), keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(4)]
)


def saliency(picture, wanted):
    picture = tf.convert_to_tensor(picture)
    batch = tf.expand_dims(picture, 0)
    with tf.GradientTape() as tape:
        tape.watch(batch)
        score = model(batch)[0, wanted]
    gradient = tape.gradient(score, picture)
    return np.abs(gradient.numpy()).max(axis=-1)


heat = saliency(np.random.rand(10, 10, 3).astype("float32"), 2)
print(heat.shape)
