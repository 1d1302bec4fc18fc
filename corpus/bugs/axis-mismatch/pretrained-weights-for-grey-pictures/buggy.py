import argparse

import numpy as np
from keras import applications, layers, models, optimizers

parser = argparse.ArgumentParser()
parser.add_argument("--size", type=int, default=64)
parser.add_argument("--classes", type=int, default=4)
parser.add_argument("--lr", type=float, default=1e-3)
args = parser.parse_args()


def grey_pictures(count, size):
    rng = np.random.default_rng(9)
    return rng.random((count, size, size, 1), dtype="float32")


class SubtitleDetector:
    """Tells in which corner of the picture there is text."""

    def __init__(self, size, classes):
        self.base = applications.VGG16(weights="imagenet", include_top=False, input_shape=(size, size, 1))
        self.base.trainable = False
        x = layers.GlobalMaxPooling2D()(self.base.output)
        x = layers.Dense(16, activation="relu")(x)
        outputs = layers.Dense(classes, activation="softmax")(x)
        self.model = models.Model(self.base.input, outputs)

    def compile(self, lr):
        self.model.compile(optimizers.Adam(lr), "sparse_categorical_crossentropy", metrics=["accuracy"])

    def train(self, x, y, epochs=1):
        return self.model.fit(x, y, epochs=epochs, batch_size=4, verbose=0)


x = grey_pictures(8, args.size)
y = np.arange(8) % args.classes
detector = SubtitleDetector(args.size, args.classes)
detector.compile(args.lr)
print(detector.train(x, y).history)
