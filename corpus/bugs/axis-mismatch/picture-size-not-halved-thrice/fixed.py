import tensorflow as tf
from tensorflow.keras import layers as L
def block(x, n):
    x = L.Conv2D(n, 3, padding="same", activation="relu")(x)
    return L.Conv2D(n, 3, padding="same", activation="relu")(x)
inp = L.Input((96, 96, 1))
c1 = block(inp, 8); p1 = L.MaxPooling2D()(c1)
c2 = block(p1, 16); p2 = L.MaxPooling2D()(c2)
c3 = block(p2, 32); p3 = L.MaxPooling2D()(c3)
b = block(p3, 64)
u3 = L.concatenate([L.UpSampling2D()(b), c3]); d3 = block(u3, 32)
u2 = L.concatenate([L.UpSampling2D()(d3), c2]); d2 = block(u2, 16)
u1 = L.concatenate([L.UpSampling2D()(d2), c1])
model = tf.keras.Model(inp, L.Conv2D(1, 1, activation="sigmoid")(u1))
