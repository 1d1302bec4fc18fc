import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential(
    [
        keras.Input((66, 100, 3)),
        layers.Conv2D(12, 5, strides=2, activation="elu", name="first"),
        layers.Conv2D(16, 5, strides=2, activation="elu", name="second"),
        layers.Conv2D(16, 3, activation="elu", name="third"),
        layers.Flatten(name="flatten"),
        layers.Dense(40, activation="elu", name="dense"),
        layers.Dense(20, activation="elu", name="dense_1"),
        layers.Dense(10, activation="elu", name="dense_2"),
        layers.Dense(1, name="steering"),
    ]
)
HEAD = ["flatten", "dense", "dense_1", "dense_2", "steering"]


def heat_map(picture, last, head):
    """Where the maps of a layer matter most for what the head makes of them."""
    inner = model.get_layer(last)
    maps_of = keras.Model(model.inputs, inner.output)
    entry = keras.Input(inner.output.shape[1:])
    x = entry
    for name in head:
        x = model.get_layer(name)(x)
    answer_of = keras.Model(entry, x)
    with tf.GradientTape() as tape:
        maps = maps_of(picture)
        tape.watch(maps)
        answer = answer_of(maps)[:, 0]
    importance = tf.reduce_mean(tape.gradient(answer, maps), axis=(0, 1, 2))
    return tf.reduce_mean(maps[0] * importance, axis=-1)


picture = np.random.RandomState(0).rand(1, 66, 100, 3).astype("float32")
print(heat_map(picture, "third", HEAD).shape)
