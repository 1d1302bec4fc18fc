import keras
from keras import layers


def down(x, filters):
    x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    skip = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    return layers.MaxPooling2D(2)(skip), skip


def up(x, skip, filters):
    x = layers.UpSampling2D(2)(x)
    x = layers.Concatenate(axis=-1)([x, skip])
    return layers.Conv2D(filters, 3, padding="same", activation="relu")(x)


def build_unet(shape, depth=3, start=8):
    inputs = keras.Input(shape=shape)
    x = inputs
    skips = []
    for level in range(depth):
        x, skip = down(x, start * 2 ** level)
        skips.append(skip)
    x = layers.Conv2D(start * 2 ** depth, 3, padding="same", activation="relu")(x)
    for level in reversed(range(depth)):
        x = up(x, skips[level], start * 2 ** level)
    mask = layers.Conv2D(1, 1, activation="sigmoid")(x)
    return keras.Model(inputs, mask, name="unet")


model = build_unet((100, 100, 3))
print(model.output_shape)
