import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


class Denoiser(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = tf.keras.Sequential([
            layers.Conv2D(16, 3, activation="relu", padding="same", strides=2),
            layers.Conv2D(8, 3, activation="relu", padding="same", strides=2),
        ])
        self.decoder = tf.keras.Sequential([
            layers.Conv2DTranspose(8, 3, strides=2, activation="relu", padding="same"),
            layers.Conv2DTranspose(16, 3, strides=2, activation="relu", padding="same"),
            layers.Conv2D(1, 3, activation="sigmoid", padding="same"),
        ])

    def call(self, x):
        return self.decoder(self.encoder(x))


clean = np.random.rand(64, 28, 28, 1).astype("float32")
noisy = np.clip(clean + 0.2 * np.random.randn(64, 28, 28, 1), 0.0, 1.0).astype("float32")

autoencoder = Denoiser()
autoencoder.compile(optimizer="adam", loss="mse")
autoencoder.fit(noisy, clean, epochs=1, batch_size=16, verbose=0)
