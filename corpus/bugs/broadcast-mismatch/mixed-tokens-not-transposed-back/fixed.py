import tensorflow as tf
from tensorflow.keras import layers
class MixerBlock(layers.Layer):
    def __init__(self, patches, channels, hidden):
        super().__init__()
        self.n1 = layers.LayerNormalization()
        self.n2 = layers.LayerNormalization()
        self.token = tf.keras.Sequential([layers.Dense(hidden, activation="gelu"), layers.Dense(patches)])
        self.chan = tf.keras.Sequential([layers.Dense(hidden, activation="gelu"), layers.Dense(channels)])
    def call(self, x):
        y = tf.transpose(self.n1(x), [0, 2, 1])
        y = tf.transpose(self.token(y), [0, 2, 1])
        x = x + y
        return x + self.chan(self.n2(x))
x = tf.random.normal((4, 49, 128))
out = MixerBlock(49, 128, 256)(x)
print(out.shape)
