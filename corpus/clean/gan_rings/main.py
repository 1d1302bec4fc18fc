# Least-squares GAN that learns points on rings. Custom loop, tf.function, history in lists.
import time
from collections import defaultdict
from functools import partial

import numpy as np
import tensorflow as tf
from tensorflow import keras

BATCH = 48
NOISE = 6
DIM = 2


def sample_rings(count, radii=(1.0, 2.0), noise=0.03, rng=np.random.default_rng(0)):
    angle = rng.uniform(0, 2 * np.pi, size=count)
    radius = rng.choice(radii, size=count)
    points = np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius[:, None]
    return (points + rng.normal(0, noise, size=points.shape)).astype(np.float32)


def mlp(n_in, *hidden, n_out, name, act="leaky_relu", out_act=None):
    net = keras.Sequential(name=name)
    net.add(keras.layers.Input((n_in,)))
    for units in hidden:
        net.add(keras.layers.Dense(units))
        net.add(keras.layers.Activation(act))
    net.add(keras.layers.Dense(n_out, activation=out_act))
    return net


class MinibatchSpread(keras.layers.Layer):
    """Appends to every row how far the batch spreads from it: an intended (B, 1, D) - (1, B, D)."""

    def call(self, x):
        gaps = tf.abs(tf.expand_dims(x, 1) - tf.expand_dims(x, 0))
        spread = tf.reduce_mean(tf.reduce_sum(gaps, axis=-1), axis=1, keepdims=True)
        return tf.concat([x, spread], axis=-1)


def make_critic():
    points = keras.Input((DIM,))
    x = MinibatchSpread()(points)
    x = mlp(DIM + 1, 32, 16, n_out=1, name="score")(x)
    return keras.Model(points, x, name="critic")


class LSGAN:
    def __init__(self, rate=2e-3, conditional=False):
        self.conditional = conditional
        width = NOISE + 2 if conditional else NOISE
        self.generator = mlp(width, 32, 32, n_out=DIM, name="generator")
        self.critic = make_critic()
        make = partial(keras.optimizers.Adam, learning_rate=rate, beta_1=0.5)
        self.g_opt, self.c_opt = make(), make()
        self.history = defaultdict(list)

    def noise(self, count):
        z = tf.random.normal([count, NOISE])
        if self.conditional:
            side = tf.one_hot(tf.random.uniform([count], maxval=2, dtype=tf.int32), 2)
            z = tf.concat([z, side], axis=1)
        return z

    @tf.function
    def critic_step(self, real):
        z = self.noise(tf.shape(real)[0])
        with tf.GradientTape() as tape:
            fake = self.generator(z, training=True)
            real_score = self.critic(real, training=True)
            fake_score = self.critic(fake, training=True)
            loss = tf.reduce_mean((real_score - 1.0) ** 2) + tf.reduce_mean(fake_score ** 2)
            loss += 0.1 * self.penalty(real, fake)
        variables = self.critic.trainable_variables
        self.c_opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    def penalty(self, real, fake):
        mix = tf.random.uniform([tf.shape(real)[0], 1])
        between = mix * real + (1.0 - mix) * fake
        with tf.GradientTape() as tape:
            tape.watch(between)
            score = self.critic(between, training=True)
        slope = tape.gradient(score, between)
        norm = tf.sqrt(tf.reduce_sum(slope ** 2, axis=1) + 1e-8)
        return tf.reduce_mean((norm - 1.0) ** 2)

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
    def generator_step(self, count):
        with tf.GradientTape() as tape:
            score = self.critic(self.generator(self.noise(count), training=True), training=True)
            loss = tf.reduce_mean(tf.math.squared_difference(score, 1.0))
        variables = self.generator.trainable_variables
        self.g_opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    def fit(self, data, epochs, critic_steps=2):
        dataset = tf.data.Dataset.from_tensor_slices(data).shuffle(len(data)).batch(BATCH)
        for epoch in range(epochs):
            started = time.time()
            for step, real in enumerate(dataset):
                self.history["critic"].append(float(self.critic_step(real)))
                if step % critic_steps == 0:
                    self.history["generator"].append(float(self.generator_step(real.shape[0])))
            line = ", ".join(f"{k} {np.mean(v[-5:]):.3f}" for k, v in sorted(self.history.items()))
            print(f"epoch {epoch}: {line} ({time.time() - started:.1f}s)")
        return self


def nearest(a, b):
    """Mean distance from each row of a to its nearest row of b."""
    table = ((a[:, np.newaxis, :] - b[np.newaxis, :, :]) ** 2).sum(-1)
    return float(np.sqrt(table.min(axis=1)).mean())


if __name__ == "__main__":
    keras.utils.set_random_seed(7)
    rings = sample_rings(200)
    for conditional in (False, True):
        gan = LSGAN(conditional=conditional).fit(rings, epochs=2)
        made = gan.generator(gan.noise(64)).numpy()
        assert made.shape == (64, DIM)
        print("coverage", nearest(rings, made), nearest(made, rings))
