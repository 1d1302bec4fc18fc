import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

CHANNELS = 64


def network():
    pictures = keras.Input((32, 32, 3))
    maps = layers.Conv2D(32, 3, activation="relu", name="early")(pictures)
    maps = layers.MaxPooling2D()(maps)
    maps = layers.Conv2D(CHANNELS, 3, activation="relu", name="late")(maps)
    scores = layers.Dense(5, activation="softmax")(layers.GlobalAveragePooling2D()(maps))
    return keras.Model(pictures, scores)


model = network()
picture = np.random.RandomState(0).rand(1, 32, 32, 3).astype("float32")
inner = model.get_layer("late")
both = keras.Model(model.input, [inner.output, model.output])
with tf.GradientTape() as tape:
    maps, scores = both(picture)
    best = tf.reduce_max(scores, axis=1)
slopes = tape.gradient(best, maps)
importance = tf.reduce_mean(slopes, axis=(0, 1, 2)).numpy()

heat = maps[0].numpy()
for channel in range(CHANNELS):
    heat[:, :, channel] *= importance[channel]
heat = np.maximum(heat.mean(axis=-1), 0)
print(heat.max())
