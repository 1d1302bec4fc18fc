import tensorflow as tf
from tensorflow.keras import layers
def make_generator():
    return tf.keras.Sequential([
        layers.Input((100,)),
        layers.Dense(7 * 7 * 64),
        layers.Reshape((7, 7, 64)),
        layers.Conv2DTranspose(32, 5, strides=2, padding="same"),
        layers.Conv2DTranspose(1, 5, strides=2, padding="same", activation="tanh")])
def make_discriminator():
    return tf.keras.Sequential([
        layers.Input((28, 28, 1)), layers.Conv2D(32, 5, strides=2, padding="same"), layers.Flatten(), layers.Dense(1)])
g, d = make_generator(), make_discriminator()
fake = g(tf.random.normal([8, 100]), training=True)
logits = d(fake, training=True)
