import numpy as np
import tensorflow as tf
from tensorflow import keras

LATENT = 3
WARMUP = 12


class Sampler(keras.layers.Layer):
    def call(self, inputs):
        mean, logvar = inputs
        return mean + tf.exp(0.5 * logvar) * tf.random.normal(tf.shape(mean))


inputs = keras.Input((10,))
hidden = keras.layers.Dense(16, activation="relu")(inputs)
mean = keras.layers.Dense(LATENT)(hidden)
logvar = keras.layers.Dense(LATENT)(hidden)
encoder = keras.Model(inputs, [mean, logvar, Sampler()([mean, logvar])])
decoder = keras.Sequential([keras.Input((LATENT,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(10)])
optimizer = keras.optimizers.Adam(1e-3)
weights = encoder.trainable_variables + decoder.trainable_variables
optimizer.build(weights)


@tf.function
def train_step(batch, epoch):
    beta = tf.minimum(1.0, epoch / WARMUP)
    with tf.GradientTape() as tape:
        mean, logvar, z = encoder(batch, training=True)
        rebuilt = tf.reduce_mean(tf.square(batch - decoder(z, training=True)))
        kl = -0.5 * tf.reduce_mean(1.0 + logvar - tf.square(mean) - tf.exp(logvar))
        loss = rebuilt + tf.cast(beta, tf.float32) * kl
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    return loss


data = tf.data.Dataset.from_tensor_slices(np.random.rand(64, 10).astype("float32")).batch(32)
for epoch in range(8):
    for batch in data:
        loss = train_step(batch, epoch)
    print(f"epoch {epoch}: {loss:.4f}")
