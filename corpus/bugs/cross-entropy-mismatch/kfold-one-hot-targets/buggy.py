import keras
import numpy as np


def folds(count, k):
    order = np.arange(count)
    size = count // k
    for i in range(k):
        test = order[i * size:(i + 1) * size]
        train = np.setdiff1d(order, test)
        yield train, test


def create_model(width, classes):
    model = keras.models.Sequential()
    model.add(keras.layers.Input((width,)))
    model.add(keras.layers.Dense(8, activation="relu"))
    model.add(keras.layers.Dense(classes, activation="softmax"))
    model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
    return model


rng = np.random.default_rng(7)
X = rng.normal(size=(60, 4))
Y = np.arange(60) % 3
dummy_y = keras.utils.to_categorical(Y, 3)
scores = []
for train, test in folds(60, 3):
    model = create_model(4, 3)
    model.fit(X[train], Y[train], epochs=1, batch_size=5, verbose=0)
    scores.append(model.evaluate(X[test], dummy_y[test], verbose=0)[1])
print(np.mean(scores))
