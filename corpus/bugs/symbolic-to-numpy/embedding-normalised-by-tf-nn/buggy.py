import keras
import tensorflow as tf
from keras import layers


def make_encoder():
    inputs = layers.Input((28, 28))
    x = layers.Flatten()(inputs)
    x = layers.Dense(32, activation="relu")(x)
    return keras.Model(inputs, layers.Dense(8)(x))


encoder = make_encoder()
left, right = layers.Input((28, 28)), layers.Input((28, 28))
a = tf.math.l2_normalize(encoder(left), axis=1)
b = tf.math.l2_normalize(encoder(right), axis=1)
similarity = layers.Dot(axes=1)([a, b])
siamese = keras.Model([left, right], similarity)
siamese.compile("adam", "mse")
pair = [tf.random.uniform([4, 28, 28]), tf.random.uniform([4, 28, 28])]
print(siamese.predict(pair, verbose=0).shape)
