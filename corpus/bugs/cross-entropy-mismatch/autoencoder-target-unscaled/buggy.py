import keras
import numpy as np
from keras import layers

latent = 8
encoder_input = keras.Input((28, 28, 1))
x = layers.Conv2D(8, 3, strides=2, padding="same", activation="relu")(encoder_input)
x = layers.Conv2D(16, 3, strides=2, padding="same", activation="relu")(x)
x = layers.Flatten()(x)
code = layers.Dense(latent)(x)
x = layers.Dense(7 * 7 * 16, activation="relu")(code)
x = layers.Reshape((7, 7, 16))(x)
x = layers.Conv2DTranspose(8, 3, strides=2, padding="same", activation="relu")(x)
decoded = layers.Conv2DTranspose(1, 3, strides=2, padding="same", activation="sigmoid")(x)
autoencoder = keras.Model(encoder_input, decoded)
autoencoder.compile(optimizer="adam", loss="binary_crossentropy")

images = np.random.default_rng(0).random((32, 28, 28, 1)).astype("float32")
targets = images.reshape(len(images), -1)
autoencoder.fit(images, targets, epochs=1, batch_size=8, verbose=0)
