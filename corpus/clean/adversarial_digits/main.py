"""Attacks on a classifier: gradients for watched inputs, models that are frozen, functions made once for two purposes."""
import functools

import keras
import numpy as np
import tensorflow as tf


def blurry_digits(rng, count):
    labels = rng.integers(0, 2, count)
    images = rng.normal(0.0, 0.2, (count, 8, 8, 1)).astype("float32")
    images[labels == 1, 2:6, 3:5] += 1.0
    images[labels == 0, 3:5, 2:6] += 1.0
    return images, labels


@functools.lru_cache(maxsize=None)
def attack(steps, targeted):
    sign = -1.0 if targeted else 1.0

    @tf.function
    def run(model, images, labels, width):
        changed = images
        for _ in range(steps):
            with tf.GradientTape(watch_accessed_variables=False) as tape:
                tape.watch(changed)
                losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, model(changed, training=False))
            slope = tape.gradient(losses, changed)
            changed = tf.clip_by_value(changed + sign * width / steps * tf.sign(slope), images - width, images + width)
        return changed

    return run


def main():
    keras.utils.set_random_seed(2)
    images, labels = blurry_digits(np.random.default_rng(2), 120)
    model = keras.Sequential([
        keras.Input((8, 8, 1)), keras.layers.Conv2D(4, 3, activation="relu"),
        keras.layers.Flatten(), keras.layers.Dense(2),
    ])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(images, labels, epochs=5, verbose=0)
    model.trainable = False
    pictures, classes = tf.constant(images[:20]), tf.constant(labels[:20])
    for steps, targeted in ((1, False), (4, False), (4, True)):
        aims = 1 - classes if targeted else classes
        changed = attack(steps, targeted)(model, pictures, aims, tf.constant(0.6))
        right = tf.argmax(model(changed), axis=1) == classes
        print(steps, targeted, float(tf.reduce_mean(tf.cast(right, tf.float32))))


main()
