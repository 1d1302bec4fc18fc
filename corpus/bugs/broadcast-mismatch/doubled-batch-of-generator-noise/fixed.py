import tensorflow as tf
from tensorflow.keras import layers

BATCH = 16
NOISE = 8
GP_WEIGHT = 10.0


def make_generator():
    return tf.keras.Sequential([
        layers.Input((NOISE,)), layers.Dense(32, activation="relu"), layers.Dense(2),
    ])


def make_critic():
    return tf.keras.Sequential([
        layers.Input((2,)), layers.Dense(32, activation="relu"), layers.Dense(1),
    ])


class WGAN:
    def __init__(self):
        self.generator, self.critic = make_generator(), make_critic()
        self.g_opt = tf.keras.optimizers.Adam(1e-3, beta_1=0.5)
        self.c_opt = tf.keras.optimizers.Adam(1e-3, beta_1=0.5)

    def gradient_penalty(self, real, fake):
        alpha = tf.random.uniform([BATCH, 1])
        mixed = alpha * real + (1 - alpha) * fake
        with tf.GradientTape() as tape:
            tape.watch(mixed)
            score = self.critic(mixed)
        slope = tf.sqrt(tf.reduce_sum(tape.gradient(score, mixed) ** 2, axis=1) + 1e-12)
        return tf.reduce_mean((slope - 1.0) ** 2)

    @tf.function
    def critic_step(self, real):
        noise = tf.random.normal([BATCH, NOISE])
        with tf.GradientTape() as tape:
            fake = self.generator(noise)
            loss = tf.reduce_mean(self.critic(fake)) - tf.reduce_mean(self.critic(real))
            loss += GP_WEIGHT * self.gradient_penalty(real, fake)
        gradients = tape.gradient(loss, self.critic.trainable_variables)
        self.c_opt.apply_gradients(zip(gradients, self.critic.trainable_variables))
        return loss


angles = tf.random.uniform([256], maxval=6.283)
points = tf.stack([tf.cos(angles), tf.sin(angles)], axis=1)
data = tf.data.Dataset.from_tensor_slices(points).batch(BATCH, drop_remainder=True)
gan = WGAN()
for real in data.take(2):
    print(float(gan.critic_step(real)))
