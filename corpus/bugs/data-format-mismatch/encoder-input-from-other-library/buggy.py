from tensorflow import keras

SHAPE = (3, 64, 64)


def encoder(shape, width):
    image = keras.Input(shape)
    x = keras.layers.Conv2D(width, 3, strides=2, padding="same", activation="relu")(image)
    x = keras.layers.Conv2D(2 * width, 3, strides=2, padding="same", activation="relu")(x)
    return keras.Model(image, keras.layers.Flatten()(x))


print(encoder(SHAPE, 8).output_shape)
