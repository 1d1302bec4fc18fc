import os

import numpy as np
from tensorflow.keras import layers, models, optimizers
from tensorflow.keras.applications import VGG16
from tensorflow.keras.preprocessing.image import ImageDataGenerator

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

IMAGE = (64, 64)
BATCH = 4

conv_base = VGG16(weights=None, include_top=False, input_shape=IMAGE + (3,))
conv_base.trainable = False

model = models.Sequential()
model.add(conv_base)
model.add(layers.Dense(32, activation="relu"))
model.add(layers.Dense(1, activation="sigmoid"))
print("trainable weights:", len(model.trainable_weights))

train_datagen = ImageDataGenerator(
    rescale=1.0 / 255,
    rotation_range=40,
    width_shift_range=0.2,
    horizontal_flip=True,
    fill_mode="nearest",
)
test_datagen = ImageDataGenerator(rescale=1.0 / 255)

pictures = np.random.randint(0, 255, size=(16,) + IMAGE + (3,)).astype("float32")
is_dog = np.arange(16) % 2
train_generator = train_datagen.flow(pictures[:12], is_dog[:12], batch_size=BATCH)
validation_generator = test_datagen.flow(pictures[12:], is_dog[12:], batch_size=BATCH)

model.compile(
    loss="binary_crossentropy",
    optimizer=optimizers.RMSprop(learning_rate=2e-5),
    metrics=["acc"],
)
history = model.fit(
    train_generator,
    steps_per_epoch=2,
    epochs=1,
    validation_data=validation_generator,
    validation_steps=1,
    verbose=0,
)
print(history.history)
