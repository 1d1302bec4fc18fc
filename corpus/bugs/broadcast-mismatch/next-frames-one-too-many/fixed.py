import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

FRAMES, SIDE = 6, 16


def moving_squares(count):
    movies = np.zeros((count, FRAMES, SIDE, SIDE, 1), dtype="float32")
    for i in range(count):
        x, y = np.random.randint(0, SIDE - 6, size=2)
        for t in range(FRAMES):
            movies[i, t, y:y + 4, x + t % 3:x + t % 3 + 4] = 1.0
    return movies


def create_shifted_frames(data):
    x = data[:, :-1]
    y = data[:, 1:]
    return x, y


def build(shape):
    inp = layers.Input(shape=shape)
    x = layers.ConvLSTM2D(4, (5, 5), padding="same", return_sequences=True, activation="relu")(inp)
    x = layers.BatchNormalization()(x)
    x = layers.ConvLSTM2D(4, (3, 3), padding="same", return_sequences=True, activation="relu")(x)
    x = layers.Conv3D(1, (3, 3, 3), activation="sigmoid", padding="same")(x)
    model = keras.models.Model(inp, x)
    model.compile(loss=keras.losses.MeanSquaredError(), optimizer=keras.optimizers.Adam())
    return model


dataset = moving_squares(10)
x_train, y_train = create_shifted_frames(dataset[:8])
x_val, y_val = create_shifted_frames(dataset[8:])
print("training", x_train.shape, y_train.shape)

model = build(x_train.shape[1:])
early = keras.callbacks.EarlyStopping(monitor="val_loss", patience=10)
model.fit(x_train, y_train, batch_size=4, epochs=1, validation_data=(x_val, y_val),
          callbacks=[early], verbose=0)
