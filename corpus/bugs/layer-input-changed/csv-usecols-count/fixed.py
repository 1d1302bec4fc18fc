import numpy as np
from keras.models import Sequential
from keras.layers import Dense, Input

FEATURES = ["age", "income", "children", "rooms", "distance"]


def write_sample(path, rows=60):
    rng = np.random.default_rng(0)
    table = rng.normal(size=(rows, 6))
    np.savetxt(path, table, delimiter=",", header=",".join(FEATURES + ["price"]))


def load(path):
    data = np.loadtxt(path, delimiter=",", skiprows=1, usecols=(0, 1, 2, 3, 4, 5), ndmin=2)
    return data[:, :-1], data[:, -1]


def build(width):
    model = Sequential()
    model.add(Input(shape=(width,)))
    model.add(Dense(12, activation="relu"))
    model.add(Dense(1))
    model.compile(loss="mse", optimizer="adam")
    return model


if __name__ == "__main__":
    write_sample("houses.csv")
    X, y = load("houses.csv")
    model = build(len(FEATURES))
    model.fit(X, y, epochs=2, verbose=0)
    print(model.evaluate(X, y, verbose=0))
