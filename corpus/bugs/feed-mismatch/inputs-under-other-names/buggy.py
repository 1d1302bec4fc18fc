import keras
import numpy as np
from keras import layers

COLUMNS = {
    "weekday": 7,
    "hour": 24,
    "station": 5,
    "line": 3,
}


def one_hot(values, size):
    return np.eye(size, dtype="float32")[np.asarray(values) % size]


def load_trips(count=90):
    rng = np.random.default_rng(4)
    features = {name: one_hot(rng.integers(0, size, count), size) for name, size in COLUMNS.items()}
    delay = rng.gamma(2.0, 1.5, size=(count, 1)).astype("float32")
    return features, delay


def encode(name, size, units=6):
    inputs = keras.Input(shape=(size,))
    return inputs, layers.Dense(units, activation="relu", name="encode_" + name)(inputs)


def build():
    inputs, encoded = [], []
    for name, size in COLUMNS.items():
        one, code = encode(name, size)
        inputs.append(one)
        encoded.append(code)
    x = layers.Concatenate()(encoded)
    x = layers.Dense(12, activation="relu")(x)
    return keras.Model(inputs, layers.Dense(1)(x), name="delays")


features, delay = load_trips()
model = build()
model.compile(optimizer="adam", loss="mae")
model.fit(features, delay, batch_size=30, epochs=1, verbose=0)
print(model.predict(features, verbose=0)[:3])
