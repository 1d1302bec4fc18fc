import os
import time

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

GENERATE_SQUARE = 24
IMAGE_CHANNELS = 3
SEED_SIZE = 16
BATCH_SIZE = 8
CACHE = "training_data_%d.npy" % GENERATE_SQUARE


def collect_pictures(count):
    rng = np.random.RandomState(1)
    pictures = rng.randint(0, 256, size=(count, GENERATE_SQUARE, GENERATE_SQUARE, 3))
    return pictures


def training_data(count=32):
    data = collect_pictures(count).astype(np.float32) / 127.5 - 1.0
    np.save(CACHE, data)
    return data


def build_generator():
    side = GENERATE_SQUARE // 4
    return tf.keras.Sequential([
        layers.Dense(side * side * 8, activation="relu", input_dim=SEED_SIZE),
        layers.Reshape((side, side, 8)),
        layers.UpSampling2D(),
        layers.Conv2D(8, 3, padding="same", activation="relu"),
        layers.UpSampling2D(),
        layers.Conv2D(IMAGE_CHANNELS, 3, padding="same", activation="tanh"),
    ])


def build_discriminator(image_shape):
    model = tf.keras.Sequential()
    model.add(layers.Conv2D(8, kernel_size=3, strides=2, input_shape=image_shape, padding="same"))
    model.add(layers.LeakyReLU(0.2))
    model.add(layers.Dropout(0.25))
    model.add(layers.Flatten())
    model.add(layers.Dense(1, activation="sigmoid"))
    return model


dataset = tf.data.Dataset.from_tensor_slices(training_data()).shuffle(100).batch(BATCH_SIZE)
generator = build_generator()
discriminator = build_discriminator((GENERATE_SQUARE, GENERATE_SQUARE, IMAGE_CHANNELS))
cross_entropy = tf.keras.losses.BinaryCrossentropy()
opt_g = tf.keras.optimizers.Adam(1.5e-4, 0.5)
opt_d = tf.keras.optimizers.Adam(1.5e-4, 0.5)


@tf.function
def train_step(images):
    noise = tf.random.normal([BATCH_SIZE, SEED_SIZE])
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        fake_images = generator(noise, training=True)
        real_output = discriminator(images, training=True)
        fake_output = discriminator(fake_images, training=True)
        gen_loss = cross_entropy(tf.ones_like(fake_output), fake_output)
        disc_loss = cross_entropy(tf.ones_like(real_output), real_output)
        disc_loss += cross_entropy(tf.zeros_like(fake_output), fake_output)
    opt_g.apply_gradients(zip(gen_tape.gradient(gen_loss, generator.trainable_variables),
                              generator.trainable_variables))
    opt_d.apply_gradients(zip(disc_tape.gradient(disc_loss, discriminator.trainable_variables),
                              discriminator.trainable_variables))
    return gen_loss, disc_loss


for epoch in range(1):
    start = time.time()
    for image_batch in dataset:
        g, d = train_step(image_batch)
    print("epoch %d, gen %.4f, disc %.4f, %.1f s" % (epoch, g, d, time.time() - start))
