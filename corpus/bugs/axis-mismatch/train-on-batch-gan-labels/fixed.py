import keras
import numpy as np

LATENT = 16
BATCH = 8


def build_generator():
    return keras.Sequential([
        keras.Input((LATENT,)),
        keras.layers.Dense(49, activation="relu"),
        keras.layers.Reshape((7, 7, 1)),
        keras.layers.Conv2DTranspose(1, 4, strides=2, padding="same", activation="tanh"),
    ])


def build_discriminator():
    model = keras.Sequential([
        keras.Input((14, 14, 1)),
        keras.layers.Conv2D(8, 3, strides=2),
        keras.layers.LeakyReLU(),
        keras.layers.Flatten(),
        keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile(loss="binary_crossentropy", optimizer="adam")
    return model


generator = build_generator()
discriminator = build_discriminator()
real_images = np.random.default_rng(0).normal(size=(64, 14, 14, 1)).astype("float32")
for step in range(3):
    index = np.random.randint(0, real_images.shape[0], BATCH)
    noise = np.random.normal(0, 1, (BATCH, LATENT))
    fake = generator.predict(noise, verbose=0)
    images = np.concatenate([real_images[index], fake])
    labels = np.concatenate([np.ones((BATCH, 1)), np.zeros((BATCH, 1))])
    loss = discriminator.train_on_batch(images, labels)
print(loss)
