import numpy as np
from keras import layers, models

FRAMES, SIDE = 6, 20


def watcher():
    model = models.Sequential(name="gait")
    model.add(layers.Input((FRAMES, SIDE, SIDE, 1)))
    model.add(layers.TimeDistributed(layers.Conv2D(4, 3, strides=2, activation="relu")))
    model.add(layers.Flatten())
    model.add(layers.GRU(10))
    model.add(layers.Dense(1, activation="sigmoid"))
    return model


films = np.random.default_rng(1).random((5, FRAMES, SIDE, SIDE, 1))
print(watcher().predict(films, verbose=0).shape)
