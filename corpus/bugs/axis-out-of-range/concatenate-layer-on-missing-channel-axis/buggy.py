from tensorflow.keras import Model, layers


def inception(x, filters, axis=3):
    narrow = layers.Conv1D(filters, 1, activation="relu")(x)
    middle = layers.Conv1D(filters, 3, padding="same", activation="relu")(x)
    wide = layers.Conv1D(filters, 5, padding="same", activation="relu")(x)
    return layers.Concatenate(axis=axis)([narrow, middle, wide])


ecg = layers.Input(shape=(180, 2))
x = inception(ecg, 8)
x = layers.MaxPooling1D(3)(x)
x = inception(x, 16)
x = layers.GlobalAveragePooling1D()(x)
model = Model(ecg, layers.Dense(5, activation="softmax")(x))
print(model.output_shape)
