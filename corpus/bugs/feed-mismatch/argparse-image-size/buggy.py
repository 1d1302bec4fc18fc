import argparse

import keras
import numpy as np


def parse_args(argv=None):
    parser = argparse.ArgumentParser(description="train a classifier")
    parser.add_argument("--image-size", type=int, default=48)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--classes", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=1)
    return parser.parse_args(argv)


def load(count, size, classes):
    rng = np.random.default_rng(1)
    x = rng.random((count, size, size, 3)).astype("float32")
    y = keras.utils.to_categorical(np.arange(count) % classes, classes)
    return x, y


def create_model(classes, size):
    inputs = keras.Input((size, size, 3))
    x = inputs
    for filters in (8, 16):
        x = keras.layers.Conv2D(filters, 3, activation="relu")(x)
        x = keras.layers.MaxPooling2D()(x)
    x = keras.layers.Flatten()(x)
    return keras.Model(inputs, keras.layers.Dense(classes, activation="softmax")(x))


def main(args):
    x, y = load(24, args.image_size, args.classes)
    model = create_model(args.classes, 64)
    model.compile(optimizer="adam", loss="categorical_crossentropy", metrics=["accuracy"])
    model.fit(x, y, batch_size=args.batch_size, epochs=args.epochs, verbose=0)


if __name__ == "__main__":
    main(parse_args([]))
