import keras
import numpy as np
from keras import layers

ROWS, COLUMNS = 120, 5


def survey(seed=19):
    """Answers from 1 to 7 with a gap in every tenth row, and whether the person came back."""
    rng = np.random.default_rng(seed)
    answers = rng.integers(1, 8, size=(ROWS, COLUMNS)).astype("float64")
    answers[::10, 2] = np.nan
    came_back = (rng.random(ROWS) < 0.4).astype("float32")
    return answers, came_back


class Pipeline:
    def __init__(self, steps):
        self.steps = steps

    def run(self, X, y):
        for step in self.steps:
            X, y = step(X, y)
        return X, y


def drop_every_tenth(X, y):
    keep = [row for row in range(len(X)) if row % 10]
    return X[keep], y


def scale(X, y):
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def add_interactions(X, y):
    products = X[:, :1] * X[:, 1:]
    return np.concatenate([X, products], axis=1), y


answers, came_back = survey()
X, y = Pipeline([drop_every_tenth, scale, add_interactions]).run(answers, came_back)
print(X.shape, y.shape)
model = keras.Sequential([layers.Input((X.shape[1],)), layers.Dense(8, activation="relu"),
                          layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
model.fit(X, y, epochs=2, batch_size=20, verbose=0)
