"""Names the three likeliest birds of each recording."""

import numpy as np
from tensorflow import keras

BIRDS = ["robin", "wren", "blackbird", "chaffinch", "great tit"]
BANDS = 40

network = keras.Sequential(
    [
        keras.Input((BANDS,)),
        keras.layers.Dense(32, activation="relu"),
        keras.layers.Dense(len(BIRDS), activation="softmax"),
    ]
)


def likeliest(recordings, count=3):
    probabilities = network.predict(recordings, verbose=0)
    order = np.argsort(probabilities, axis=1)[..., ::-1]
    return [[BIRDS[bird] for bird in birds[:count]] for birds in order]


spectra = np.random.rand(6, BANDS).astype("float32")
for number, names in enumerate(likeliest(spectra)):
    print(number, ", ".join(names))
