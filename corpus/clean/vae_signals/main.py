"""Variational autoencoder for short signals with an overridden train_step, a sampling layer and a callback."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

LENGTH = 48
LATENT = 3


class Sampling(layers.Layer):
    def call(self, inputs):
        mean, log_var = inputs
        batch = tf.shape(mean)[0]
        dim = tf.shape(mean)[1]
        noise = tf.random.normal(shape=(batch, dim))
        return mean + tf.exp(0.5 * log_var) * noise


def encoder_net(kind):
    signal = keras.Input((LENGTH, 1))
    if kind == "conv":
        x = layers.Conv1D(8, 5, strides=2, padding="same", activation="relu")(signal)
        x = layers.Conv1D(16, 5, strides=2, padding="same", activation="relu")(x)
        x = layers.Flatten()(x)
    else:
        x = layers.Bidirectional(layers.GRU(12, return_sequences=True))(signal)
        x = layers.GRU(16)(x)
    x = layers.Dense(16, activation="relu")(x)
    mean = layers.Dense(LATENT, name="mean")(x)
    log_var = layers.Dense(LATENT, name="log_var")(x)
    return keras.Model(signal, [mean, log_var, Sampling()([mean, log_var])], name=f"{kind}_encoder")


def decoder_net(kind):
    code = keras.Input((LATENT,))
    if kind == "conv":
        steps = LENGTH // 4
        x = layers.Dense(steps * 16, activation="relu")(code)
        x = layers.Reshape((steps, 16))(x)
        x = layers.Conv1DTranspose(16, 5, strides=2, padding="same", activation="relu")(x)
        x = layers.Conv1DTranspose(8, 5, strides=2, padding="same", activation="relu")(x)
        out = layers.Conv1D(1, 3, padding="same")(x)
    else:
        x = layers.RepeatVector(LENGTH)(code)
        x = layers.GRU(16, return_sequences=True)(x)
        out = layers.TimeDistributed(layers.Dense(1))(x)
    return keras.Model(code, out, name=f"{kind}_decoder")


class VAE(keras.Model):
    def __init__(self, encoder, decoder, beta=1.0, **kwargs):
        super().__init__(**kwargs)
        self.encoder, self.decoder = encoder, decoder
        self.beta = tf.Variable(beta, trainable=False)
        self.trackers = {name: keras.metrics.Mean(name=name) for name in ("loss", "recon", "kl")}

    @property
    def metrics(self):
        return list(self.trackers.values())

    def call(self, signals):
        mean, _, _ = self.encoder(signals)
        return self.decoder(mean)

    def compute_parts(self, signals):
        mean, log_var, code = self.encoder(signals)
        rebuilt = self.decoder(code)
        recon = tf.reduce_mean(tf.reduce_sum(tf.square(signals - rebuilt), axis=(1, 2)))
        kl = -0.5 * tf.reduce_sum(1 + log_var - tf.square(mean) - tf.exp(log_var), axis=1)
        return recon, tf.reduce_mean(kl)

    def train_step(self, data):
        if isinstance(data, tuple):
            data = data[0]
        with tf.GradientTape() as tape:
            recon, kl = self.compute_parts(data)
            loss = recon + self.beta * kl
        gradients = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_weights))
        for name, value in zip(self.trackers, (loss, recon, kl)):
            self.trackers[name].update_state(value)
        return {name: tracker.result() for name, tracker in self.trackers.items()}

    def test_step(self, data):
        recon, kl = self.compute_parts(data[0] if isinstance(data, tuple) else data)
        return {"loss": recon + self.beta * kl}


class Warmup(keras.callbacks.Callback):
    """Raises beta from zero to one."""

    def __init__(self, epochs):
        super().__init__()
        self.epochs = epochs

    def on_epoch_begin(self, epoch, logs=None):
        self.model.beta.assign(min(1.0, (epoch + 1) / self.epochs))


def waves(count, seed):
    """(count, 1) phases against (1, LENGTH) times: every signal at every time."""
    rng = np.random.default_rng(seed)
    time = np.linspace(0, 1, LENGTH)[None, :]
    phase = rng.uniform(0, 2 * np.pi, (count, 1))
    speed = rng.integers(1, 4, (count, 1))
    signal = np.sin(2 * np.pi * speed * time + phase)
    return signal[..., None].astype("float32")


def interpolate(decoder, start, end, steps=5):
    ratio = np.linspace(0, 1, steps)[:, None]
    codes = (1 - ratio) * start[None, :] + ratio * end[None, :]
    return decoder.predict(codes, verbose=0)[..., 0]


if __name__ == "__main__":
    keras.utils.set_random_seed(11)
    train, test = waves(72, 0), waves(20, 1)
    for kind in ["conv", "gru"]:
        vae = VAE(encoder_net(kind), decoder_net(kind), beta=0.0)
        vae.compile(optimizer=keras.optimizers.Adam(0.005))
        history = vae.fit(train, epochs=2, batch_size=16, callbacks=[Warmup(2)], verbose=0)
        loss = vae.evaluate(test, test, verbose=0, return_dict=True)
        mean, log_var, code = vae.encoder.predict(test, verbose=0)
        path = interpolate(vae.decoder, mean[0], mean[1])
        error = np.sqrt(((vae(test).numpy() - test) ** 2).mean(axis=(1, 2)))
        print(kind, sorted(history.history), loss, path.shape, error.max())
