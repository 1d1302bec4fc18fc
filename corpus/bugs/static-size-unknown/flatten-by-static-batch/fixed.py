import tensorflow as tf
from tensorflow import keras


class FlattenPatches(keras.layers.Layer):
    def call(self, patches):
        batch = tf.shape(patches)[0]
        return tf.reshape(patches, [batch, patches.shape[1] * patches.shape[2], patches.shape[3]])


image = keras.Input((16, 16, 3))
patches = keras.layers.Conv2D(24, 4, strides=4)(image)
tokens = FlattenPatches()(patches)
tokens = keras.layers.MultiHeadAttention(2, 12)(tokens, tokens)
model = keras.Model(image, keras.layers.Dense(5)(keras.layers.GlobalAveragePooling1D()(tokens)))
print(model.output_shape)
