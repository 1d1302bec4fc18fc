import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

LATENT = 4


class Reparameterize(layers.Layer):
    def call(self, inputs):
        mu, log_sigma = inputs
        noise = tf.random.normal(tf.shape(mu))
        return mu + tf.exp(log_sigma) * noise


image = keras.Input((8, 8, 1))
x = layers.Conv2D(8, 3, strides=2, activation="relu")(image)
x = layers.Flatten()(x)
mu = layers.Dense(LATENT)(x)
log_sigma = layers.Dense(LATENT)(x)
code = Reparameterize()([mu, log_sigma])
decoded = layers.Dense(64, activation="sigmoid")(code)
autoencoder = keras.Model(image, layers.Reshape((8, 8, 1))(decoded))
autoencoder.compile("adam", "binary_crossentropy")
autoencoder.fit(tf.random.uniform([6, 8, 8, 1]), tf.random.uniform([6, 8, 8, 1]), verbose=0)
print(autoencoder.output_shape)
