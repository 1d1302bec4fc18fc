import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import BatchNormalization, Dense, Dropout, LeakyReLU
from tensorflow.keras.models import Model, Sequential
from tensorflow.keras.optimizers import Adam

np.random.seed(7)
NOISE = 20
FEATURES = 64
BATCH = 128


def get_generator(optimizer):
    generator = Sequential()
    generator.add(Dense(32, input_dim=NOISE))
    generator.add(LeakyReLU(0.2))
    generator.add(BatchNormalization())
    generator.add(Dense(FEATURES, activation="tanh"))
    generator.compile(loss="binary_crossentropy", optimizer=optimizer)
    return generator


def get_discriminator(optimizer):
    discriminator = Sequential()
    discriminator.add(Dense(32, input_dim=FEATURES))
    discriminator.add(LeakyReLU(0.2))
    discriminator.add(Dropout(0.3))
    discriminator.add(Dense(1, activation="sigmoid"))
    discriminator.compile(loss="binary_crossentropy", optimizer=optimizer)
    return discriminator


def get_gan(discriminator, generator, optimizer):
    discriminator.trainable = False
    gan_input = tf.keras.Input(shape=(NOISE,))
    gan = Model(inputs=gan_input, outputs=discriminator(generator(gan_input)))
    gan.compile(loss="binary_crossentropy", optimizer=optimizer)
    return gan


real = np.tanh(np.random.normal(size=(512, FEATURES)))
generator = get_generator(Adam(0.0002, beta_1=0.5))
discriminator = get_discriminator(Adam(0.0002, beta_1=0.5))
gan = get_gan(discriminator, generator, Adam(0.0002, beta_1=0.5))

for epoch in range(2):
    noise = np.random.normal(0, 1, size=[BATCH, NOISE])
    fake = generator.predict_on_batch(noise)
    batch = real[np.random.randint(0, real.shape[0], size=BATCH)]

    d_real = discriminator.train_on_batch(batch, np.full((BATCH, 1), 0.9))
    d_fake = discriminator.train_on_batch(fake, np.zeros((BATCH, 1)))
    g_loss = gan.train_on_batch(noise, [1] * BATCH)
    print("epoch", epoch, d_real, d_fake, g_loss)
