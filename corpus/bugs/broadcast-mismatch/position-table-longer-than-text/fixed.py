import keras
import tensorflow as tf
from keras import layers


class TokenAndPosition(layers.Layer):
    def __init__(self, max_positions, vocabulary, width, **kwargs):
        super().__init__(**kwargs)
        self.max_positions = max_positions
        self.tokens = layers.Embedding(vocabulary, width)
        self.positions = layers.Embedding(max_positions, width)

    def call(self, x):
        where = tf.range(0, x.shape[1])
        return self.tokens(x) + self.positions(where)


text = keras.Input((100,), dtype="int32")
x = TokenAndPosition(128, 4000, 32)(text)
x = layers.MultiHeadAttention(num_heads=2, key_dim=16)(x, x)
x = layers.GlobalAveragePooling1D()(x)
model = keras.Model(text, layers.Dense(2)(x))
print(model.output_shape)
