import tensorflow as tf
from tensorflow import keras

NOISE = 5
generator = keras.Sequential([keras.Input((NOISE,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(2)])
discriminator = keras.Sequential([keras.Input((2,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
g_optimizer, d_optimizer = keras.optimizers.Adam(1e-3), keras.optimizers.Adam(1e-3)
g_optimizer.build(generator.trainable_variables)
d_optimizer.build(discriminator.trainable_variables)
bce = keras.losses.BinaryCrossentropy(from_logits=True)


@tf.function
def train_step(real):
    noise = tf.random.normal([tf.shape(real)[0], NOISE])
    with tf.GradientTape(persistent=True) as tape:
        fake = generator(noise, training=True)
        real_score, fake_score = discriminator(real), discriminator(fake)
        g_loss = bce(tf.ones_like(fake_score), fake_score)
        d_loss = bce(tf.ones_like(real_score), real_score) + bce(tf.zeros_like(fake_score), fake_score)
    g_grads = tape.gradient(g_loss, generator.trainable_variables)
    d_grads = tape.gradient(d_loss, discriminator.trainable_variables)
    del tape
    g_optimizer.apply_gradients(zip(g_grads, generator.trainable_variables))
    d_optimizer.apply_gradients(zip(d_grads, discriminator.trainable_variables))
    return g_loss, d_loss


print([float(loss) for loss in train_step(tf.random.normal([16, 2]))])
