import keras
import numpy as np
from keras import layers


def build_model(image_shape, meta_width, classes):
    image = keras.Input(image_shape, name="image")
    meta = keras.Input((meta_width,), name="meta")
    x = layers.Conv2D(8, 3, activation="relu")(image)
    x = layers.GlobalAveragePooling2D()(x)
    m = layers.Dense(8, activation="relu")(meta)
    x = layers.concatenate([x, m])
    return keras.Model([image, meta], layers.Dense(classes, activation="softmax")(x))


def load(count):
    rng = np.random.default_rng(2)
    images = rng.random((count, 16, 16, 3))
    meta = rng.random((count, 5))
    labels = rng.integers(0, 3, count)
    return images, meta, labels


images, meta, labels = load(24)
model = build_model(images.shape[1:], meta.shape[1], 3)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit([images, meta], labels, epochs=1, verbose=0)
scores = model.predict([images, meta], verbose=0)
print(scores.argmax(axis=1))
