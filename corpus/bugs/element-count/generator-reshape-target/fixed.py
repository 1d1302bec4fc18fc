import keras
from keras import layers

LATENT = 64


class Sizes:
    base = 7
    channels = 96


def make_generator(latent_dim=LATENT, s=Sizes):
    units = s.base * s.base * s.channels
    return keras.Sequential(
        [
            keras.Input(shape=(latent_dim,)),
            layers.Dense(units, use_bias=False),
            layers.LeakyReLU(),
            layers.Reshape((s.base, s.base, s.channels)),
            layers.Conv2DTranspose(48, 5, strides=2, padding="same"),
            layers.LeakyReLU(),
            layers.Conv2DTranspose(1, 5, strides=2, padding="same", activation="tanh"),
        ],
        name="generator",
    )


generator = make_generator()
print(generator(keras.random.normal((2, LATENT))).shape)
