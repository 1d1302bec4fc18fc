import os

import numpy as np
from keras.applications import MobileNet
from keras.applications.mobilenet import preprocess_input
from keras.layers import Dense, GlobalAveragePooling2D
from keras.models import Model

IMG_SIZE = 64
LABELS = ["ripe", "unripe", "rotten"]


def read_image(path, size=IMG_SIZE):
    """The picture at the path, or noise where there is none."""
    if os.path.exists(path):
        image = np.load(path)[:size, :size]
    else:
        image = np.random.randint(0, 256, size=(size, size, 3))
    return image.astype("float32")


def prepare(path):
    image = read_image(path)
    image = image.reshape((IMG_SIZE, IMG_SIZE, 3))
    image = np.expand_dims(image, axis=0)
    return preprocess_input(image)


base = MobileNet(weights=None, include_top=False, input_shape=(IMG_SIZE, IMG_SIZE, 3), alpha=0.25)
x = GlobalAveragePooling2D()(base.output)
model = Model(base.input, Dense(len(LABELS), activation="softmax")(x))

for name in ["a.npy", "b.npy"]:
    image = prepare(name)
    image = np.expand_dims(image, axis=1)
    scores = model.predict(image, verbose=0)
    best = int(np.argmax(scores[0]))
    print("%s: %s (%.2f)" % (name, LABELS[best], scores[0][best]))
