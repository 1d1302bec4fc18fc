import keras
import numpy as np
from keras import layers

PATCHES = 16
QUERY_WIDTH = 16
VALUE_WIDTH = 8
CLASSES = 3


def feed_forward(x, width, rate=0.1):
    h = layers.Dense(width * 2, activation="gelu")(x)
    h = layers.Dropout(rate)(h)
    return layers.Dense(width)(h)


def cross_block(query, memory, heads):
    attended = layers.MultiHeadAttention(heads, QUERY_WIDTH // heads)(query=query, value=memory, key=query)
    x = layers.LayerNormalization()(layers.Add()([query, attended]))
    return layers.LayerNormalization()(layers.Add()([x, feed_forward(x, QUERY_WIDTH)]))


image = keras.Input((PATCHES, QUERY_WIDTH), name="image")
depth = keras.Input((PATCHES, VALUE_WIDTH), name="depth")
x = cross_block(image, depth, heads=4)
x = cross_block(x, depth, heads=4)
x = layers.GlobalAveragePooling1D()(x)
model = keras.Model([image, depth], layers.Dense(CLASSES, activation="softmax")(x))
model.compile("adam", "sparse_categorical_crossentropy")

rng = np.random.default_rng(0)
images = rng.normal(size=(12, PATCHES, QUERY_WIDTH))
depths = rng.normal(size=(12, PATCHES, VALUE_WIDTH))
model.fit([images, depths], np.arange(12) % CLASSES, epochs=1, verbose=0)
print(model.count_params())
