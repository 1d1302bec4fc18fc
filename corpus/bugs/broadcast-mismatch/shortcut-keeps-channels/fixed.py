import tensorflow as tf
from tensorflow.keras import layers, Model
def residual(x, filters, stride=1):
    shortcut = x
    y = layers.Conv2D(filters, 3, strides=stride, padding="same")(x)
    y = layers.BatchNormalization()(y)
    y = layers.ReLU()(y)
    y = layers.Conv2D(filters, 3, padding="same")(y)
    if stride != 1 or x.shape[-1] != filters:
        shortcut = layers.Conv2D(filters, 1, strides=stride)(x)
    return layers.ReLU()(layers.Add()([y, shortcut]))
inp = layers.Input((32, 32, 3))
x = layers.Conv2D(16, 3, padding="same")(inp)
x = residual(x, 16)
x = residual(x, 32)
x = residual(x, 64, 2)
model = Model(inp, layers.Dense(10)(layers.GlobalAveragePooling2D()(x)))
