import tensorflow as tf
from tensorflow.keras import Input, Model, layers

NOISE = 16
CURVE = 50


def generator():
    z = Input(shape=(NOISE,), name="z")
    h = layers.Dense(40, activation="relu")(z)
    return Model(z, layers.Dense(CURVE, activation="tanh")(h), name="gen")


def discriminator():
    curve = Input(shape=(CURVE + 10,), name="curve")
    h = layers.Dense(40, activation="relu")(curve)
    return Model(curve, layers.Dense(1)(h), name="disc")


gen, disc = generator(), discriminator()
optimizer = tf.keras.optimizers.Adam(1e-3)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)


def train_step(count=8):
    noise = tf.random.normal([count, NOISE])
    with tf.GradientTape() as tape:
        fake = gen(noise, training=True)
        verdict = disc(fake, training=True)
        loss = bce(tf.ones_like(verdict), verdict)
    grads = tape.gradient(loss, gen.trainable_variables)
    optimizer.apply_gradients(zip(grads, gen.trainable_variables))
    return loss


for _ in range(2):
    print(float(train_step()))
