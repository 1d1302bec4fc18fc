import keras
import numpy as np
from keras import layers

H, W = 32, 32


def conv_block(x, filters):
    x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    return layers.Conv2D(filters, 3, padding="same", activation="relu")(x)


def unet():
    inputs = layers.Input((H, W, 3))
    c1 = conv_block(inputs, 8)
    p1 = layers.MaxPooling2D()(c1)
    c2 = conv_block(p1, 16)
    u1 = layers.Conv2DTranspose(8, 2, strides=2, padding="same")(c2)
    c3 = conv_block(layers.concatenate([u1, c1]), 8)
    return keras.Model(inputs, layers.Conv2D(1, 1, activation="sigmoid")(c3))


def load_pair(seed):
    rng = np.random.default_rng(seed)
    image = rng.random((H, W, 3))
    mask = (rng.random((H, W, 3)) > 0.5).astype("float32")
    return image, mask[..., :1]


X = np.zeros((10, H, W, 3), dtype=np.float32)
Y = np.zeros((10, H, W, 1), dtype=np.float32)
for n in range(10):
    X[n], Y[n] = load_pair(n)

model = unet()
model.compile(optimizer="adam", loss="binary_crossentropy")
model.fit(X, Y, batch_size=5, epochs=1, verbose=0)
