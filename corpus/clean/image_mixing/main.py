"""Mixing pictures for training: layers of preprocessing in `map`, conditions on tensors, batches of fixed size."""
import keras
import numpy as np
import tensorflow as tf

SIDE = 16

augment = keras.Sequential([keras.layers.RandomFlip("horizontal", seed=1), keras.layers.RandomContrast(0.2, seed=2)])


def maybe_rotated(image, label):
    turns = tf.random.uniform([], maxval=4, dtype=tf.int32, seed=3)
    if turns > 0:
        image = tf.image.rot90(image, turns)
    if tf.reduce_mean(image) > 0.5:
        image = 1.0 - image
    image.set_shape([SIDE, SIDE, 1])
    return image, label


def mixed(images, labels):
    share = tf.random.uniform([tf.shape(images)[0], 1, 1, 1], seed=4)
    order = tf.random.shuffle(tf.range(tf.shape(images)[0]), seed=5)
    images = share * images + (1.0 - share) * tf.gather(images, order)
    share = share[:, 0, 0]
    return images, share * labels + (1.0 - share) * tf.gather(labels, order)


def main():
    rng = np.random.default_rng(4)
    pictures = rng.random((50, SIDE, SIDE, 1), dtype="float32")
    labels = keras.utils.to_categorical(rng.integers(0, 3, 50), 3).astype("float32")
    data = tf.data.Dataset.from_tensor_slices((pictures, labels)).map(maybe_rotated)
    data = data.batch(10, drop_remainder=True).map(lambda x, y: (augment(x, training=True), y)).map(mixed).prefetch(1)
    model = keras.Sequential([
        keras.Input((SIDE, SIDE, 1)),
        keras.layers.Conv2D(4, 3, activation="relu"),
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(3, activation="softmax"),
    ])
    model.compile("adam", "categorical_crossentropy", metrics=["accuracy"], jit_compile=False)
    print(model.fit(data, epochs=2, verbose=0).history["loss"])


main()
