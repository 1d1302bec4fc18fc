from glob import glob
import os

import numpy as np
import tensorflow as tf
from tensorflow.keras.applications import MobileNetV2
from tensorflow.keras.layers import Dense, Flatten, Input
from tensorflow.keras.models import Model
from tensorflow.keras.preprocessing.image import ImageDataGenerator

IMAGE_SIZE = [64, 64]
BRANDS = ["audi", "bmw", "lamborghini", "mercedes", "opel", "tesla", "volvo"]
FOLDERS = BRANDS + ["desktop.ini"]

mobile = MobileNetV2(input_shape=IMAGE_SIZE + [3], weights=None, include_top=False, alpha=0.35)
for layer in mobile.layers:
    layer.trainable = False

# one unit for each brand
classes = len(FOLDERS)
x = Flatten()(mobile.output)
prediction = Dense(classes, activation="softmax")(x)
model = Model(inputs=mobile.input, outputs=prediction)
model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])

train_datagen = ImageDataGenerator(rescale=1.0 / 255, shear_range=0.2, zoom_range=0.2, horizontal_flip=True)
test_datagen = ImageDataGenerator(rescale=1.0 / 255)


def cars(count, seed):
    rng = np.random.RandomState(seed)
    pictures = rng.randint(0, 256, size=[count] + IMAGE_SIZE + [3])
    brand = np.arange(count) % len(BRANDS)
    return pictures, tf.keras.utils.to_categorical(brand, len(BRANDS))


training_set = train_datagen.flow(*cars(14, 0), batch_size=7)
test_set = test_datagen.flow(*cars(7, 1), batch_size=7)
r = model.fit(
    training_set,
    validation_data=test_set,
    epochs=1,
    steps_per_epoch=len(training_set),
    validation_steps=len(test_set),
    verbose=0,
)
print(r.history["loss"])
