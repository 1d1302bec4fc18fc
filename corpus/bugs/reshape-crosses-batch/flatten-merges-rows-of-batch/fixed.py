import tensorflow as tf
from tensorflow.keras import layers


class Encoder(tf.keras.Model):
    def __init__(self, code=10):
        super().__init__()
        self.conv1 = layers.Conv2D(16, 3, strides=2, padding="same", activation="relu")
        self.conv2 = layers.Conv2D(32, 3, strides=2, padding="same", activation="relu")
        self.code = layers.Dense(code)

    def call(self, images):
        x = self.conv1(images)
        x = self.conv2(x)
        x = tf.reshape(x, [-1, 7 * 7 * 32])
        return self.code(x)


@tf.function(input_signature=[tf.TensorSpec([None, 28, 28, 1])])
def encode(images):
    return encoder(images)


encoder = Encoder()
digits = tf.random.uniform([12, 28, 28, 1])
codes = encode(digits)
print("codes", codes.shape)
