"""Where the face in a picture is: its left and upper edges, its width and its height."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

SIDE = 48


def overlap(y_true, y_pred):
    """One minus the area that two boxes share, as a part of the area of both."""
    left = keras.ops.maximum(y_true[:, 0], y_pred[:, 0])
    top = keras.ops.maximum(y_true[:, 1], y_pred[:, 1])
    right = keras.ops.minimum(y_true[:, 0] + y_true[:, 2], y_pred[:, 0] + y_pred[:, 2])
    bottom = keras.ops.minimum(y_true[:, 1] + y_true[:, 3], y_pred[:, 1] + y_pred[:, 3])
    shared = keras.ops.relu(right - left) * keras.ops.relu(bottom - top)
    both = y_true[:, 2] * y_true[:, 3] + y_pred[:, 2] * y_pred[:, 3] - shared
    return 1.0 - shared / (keras.ops.abs(both) + 1e-6)


def detector():
    return keras.Sequential(
        [
            keras.Input((SIDE, SIDE, 1)),
            layers.Conv2D(8, 3, strides=2, activation="relu"),
            layers.Conv2D(16, 3, strides=2, activation="relu"),
            layers.GlobalAveragePooling2D(),
            layers.Dense(4, activation="sigmoid"),
        ]
    )


def main():
    random = np.random.default_rng(4)
    pictures = random.random((96, SIDE, SIDE, 1), dtype="float32")
    boxes = random.random((96, 4), dtype="float32") / 2
    model = detector()
    model.compile(optimizer="adam", loss=overlap)
    model.fit(pictures, boxes, batch_size=24, epochs=2, verbose=0)
    print(model.predict(pictures[:3], verbose=0))


main()
