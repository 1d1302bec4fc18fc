import os

import numpy as np
from keras import layers, models
from keras.src.legacy.preprocessing.image import ImageDataGenerator
from PIL import Image

IMG_WIDTH, IMG_HEIGHT = 40, 30


def write_folder(root, classes=("cat", "dog"), count=4):
    for name in classes:
        os.makedirs(os.path.join(root, name), exist_ok=True)
        for i in range(count):
            pixels = np.random.default_rng(i).integers(0, 255, size=(50, 60, 3)).astype("uint8")
            Image.fromarray(pixels).save(os.path.join(root, name, "%d.png" % i))


write_folder("train")
datagen = ImageDataGenerator(rescale=1.0 / 255, horizontal_flip=True)
train = datagen.flow_from_directory(
    "train",
    target_size=(IMG_HEIGHT, IMG_WIDTH),
    batch_size=4,
    class_mode="binary",
)
inputs = layers.Input((IMG_HEIGHT, IMG_WIDTH, 3))
x = layers.Conv2D(8, 3, activation="relu")(inputs)
x = layers.GlobalAveragePooling2D()(x)
model = models.Model(inputs, layers.Dense(1, activation="sigmoid")(x))
model.compile("adam", "binary_crossentropy")
model.fit(train, epochs=1, verbose=0)
