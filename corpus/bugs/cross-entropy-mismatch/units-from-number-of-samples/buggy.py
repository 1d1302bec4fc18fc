import keras
import numpy as np
from keras.layers import Conv1D, Dense, Dropout, Flatten, Input, MaxPooling1D
from keras.models import Sequential


class Config:
    def __init__(self, rate=8000, length=64, epochs=1):
        self.rate = rate
        self.length = length
        self.epochs = epochs
        self.classes = ["air_conditioner", "car_horn", "children", "dog", "drill",
                        "engine", "gun_shot", "jackhammer", "siren", "music"]


def build_rand_feat(config, samples=60):
    """Random cuts of the recordings, with the number of their class."""
    rng = np.random.default_rng(1)
    X, y = [], []
    for i in range(samples):
        label = i % len(config.classes)
        wave = np.sin(np.arange(config.length) * (label + 1) / 10) + rng.normal(size=config.length) * 0.1
        X.append(wave)
        y.append(label)
    X = np.array(X).reshape(samples, config.length, 1)
    return X, keras.utils.to_categorical(y, num_classes=len(config.classes))


def get_conv_model(input_shape, n_out):
    model = Sequential()
    model.add(Input(shape=input_shape))
    model.add(Conv1D(8, 3, activation="relu", padding="same"))
    model.add(MaxPooling1D(2))
    model.add(Dropout(0.5))
    model.add(Flatten())
    model.add(Dense(16, activation="relu"))
    model.add(Dense(n_out, activation="softmax"))
    model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["acc"])
    return model


config = Config()
X, y = build_rand_feat(config)
model = get_conv_model(X.shape[1:], n_out=len(y))
model.fit(X, y, epochs=config.epochs, batch_size=16, shuffle=True, verbose=0)
