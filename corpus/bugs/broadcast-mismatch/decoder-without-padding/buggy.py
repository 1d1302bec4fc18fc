import numpy as np
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras.datasets import fashion_mnist

(x_train, _), (x_test, _) = fashion_mnist.load_data()
x_train = x_train[:256].astype("float32") / 255.0
x_test = x_test[:64].astype("float32") / 255.0
x_train = x_train[..., np.newaxis]
x_test = x_test[..., np.newaxis]

noise_factor = 0.2
x_train_noisy = x_train + noise_factor * np.random.normal(size=x_train.shape)
x_test_noisy = x_test + noise_factor * np.random.normal(size=x_test.shape)
x_train_noisy = np.clip(x_train_noisy, 0.0, 1.0)
x_test_noisy = np.clip(x_test_noisy, 0.0, 1.0)


class Denoise(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = keras.Sequential([
            layers.Input(shape=(28, 28, 1)),
            layers.Conv2D(16, (3, 3), activation="relu", padding="same", strides=2),
            layers.Conv2D(8, (3, 3), activation="relu", padding="same", strides=2),
        ])
        self.decoder = keras.Sequential([
            layers.Conv2DTranspose(8, kernel_size=3, strides=2, activation="relu"),
            layers.Conv2DTranspose(16, kernel_size=3, strides=2, activation="relu"),
            layers.Conv2D(1, kernel_size=(3, 3), activation="sigmoid", padding="same"),
        ])

    def call(self, x):
        return self.decoder(self.encoder(x))


autoencoder = Denoise()
autoencoder.compile(optimizer="adam", loss=keras.losses.MeanSquaredError())
autoencoder.fit(x_train_noisy, x_train, epochs=1, shuffle=True, verbose=0,
                validation_data=(x_test_noisy, x_test))
