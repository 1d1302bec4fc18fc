import keras
import numpy as np
from keras import layers


def squeeze_excite(x, ratio=4, name="se"):
    channels = x.shape[-1]
    s = layers.GlobalAveragePooling2D(name=name + "_squeeze")(x)
    s = layers.Dense(channels // ratio, activation="relu", name=name + "_reduce")(s)
    s = layers.Dense(channels // ratio, activation="sigmoid", name=name + "_expand")(s)
    s = layers.Reshape((1, 1, channels // ratio), name=name + "_reshape")(s)
    return layers.Multiply(name=name + "_scale")([x, s])


def block(x, filters, index, downsample):
    shortcut = x
    stride = 2 if downsample else 1
    x = layers.Conv2D(filters, 3, strides=stride, padding="same", use_bias=False)(x)
    x = layers.BatchNormalization()(x)
    x = layers.ReLU()(x)
    x = layers.Conv2D(filters, 3, padding="same", use_bias=False)(x)
    x = layers.BatchNormalization()(x)
    x = squeeze_excite(x, name=f"se{index}")
    if downsample or shortcut.shape[-1] != filters:
        shortcut = layers.Conv2D(filters, 1, strides=stride)(shortcut)
    return layers.ReLU()(layers.Add()([x, shortcut]))


def resnet(input_shape, classes, stages=((8, 1), (16, 2))):
    inputs = layers.Input(shape=input_shape)
    x = layers.Conv2D(8, 3, padding="same")(inputs)
    index = 0
    for stage, (filters, repeats) in enumerate(stages):
        for k in range(repeats):
            x = block(x, filters, index, downsample=stage > 0 and k == 0)
            index += 1
    x = layers.GlobalAveragePooling2D()(x)
    return keras.Model(inputs, layers.Dense(classes, activation="softmax")(x))


model = resnet((32, 32, 3), 10)
print(model.predict(np.zeros((2, 32, 32, 3)), verbose=0).shape)
