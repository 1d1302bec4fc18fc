import keras
import tensorflow as tf
from keras import layers, ops

LATENT = 2


class Sampling(layers.Layer):
    def __init__(self, dim=8, **kwargs):
        super().__init__(**kwargs)
        self.dim = dim

    def call(self, inputs):
        mean, log_var = inputs
        epsilon = tf.random.normal((ops.shape(mean)[0], self.dim))
        return mean + ops.exp(0.5 * log_var) * epsilon


class VAE(keras.Model):
    def __init__(self, latent_dim, pixels):
        super().__init__()
        self.hidden = layers.Dense(32, activation="relu")
        self.mean = layers.Dense(latent_dim)
        self.log_var = layers.Dense(latent_dim)
        self.sample = Sampling(latent_dim)
        self.decoder = keras.Sequential([
            layers.Dense(32, activation="relu"),
            layers.Dense(pixels, activation="sigmoid"),
        ])

    def call(self, images):
        h = self.hidden(images)
        mean, log_var = self.mean(h), self.log_var(h)
        kl = -0.5 * ops.mean(ops.sum(1 + log_var - ops.square(mean) - ops.exp(log_var), axis=1))
        self.add_loss(1e-3 * kl)
        return self.decoder(self.sample([mean, log_var]))


(x_train, _), _ = keras.datasets.mnist.load_data()
x_train = x_train[:256].reshape(-1, 784).astype("float32") / 255
vae = VAE(LATENT, 784)
optimizer = keras.optimizers.Adam()
for start in range(0, 256, 64):
    batch = x_train[start:start + 64]
    with tf.GradientTape() as tape:
        decoded = vae(batch)
        loss = tf.reduce_mean(keras.losses.binary_crossentropy(batch, decoded)) + sum(vae.losses)
    grads = tape.gradient(loss, vae.trainable_weights)
    optimizer.apply_gradients(zip(grads, vae.trainable_weights))
print(float(loss))
