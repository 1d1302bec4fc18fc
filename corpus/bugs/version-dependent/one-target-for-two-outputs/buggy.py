import numpy as np
from tensorflow.keras.layers import Concatenate, Dense, Input
from tensorflow.keras.models import Model

ROWS, BATCH = 256, 32
random = np.random.RandomState(0)
visitors = random.rand(ROWS, 16)
pages = random.rand(ROWS, 8)
seconds = random.rand(ROWS, 1)
bought = random.randint(0, 2, (ROWS, 1))


def network():
    visitor, page = Input((16,)), Input((8,))
    both = Concatenate()([Dense(32, activation="relu")(visitor), Dense(32, activation="relu")(page)])
    stays = Dense(1, name="stays")(both)
    buys = Dense(1, activation="sigmoid", name="buys")(both)
    return Model([visitor, page], [stays, buys])


def batches():
    while True:
        order = random.permutation(ROWS)
        for start in range(0, ROWS, BATCH):
            rows = order[start : start + BATCH]
            yield (visitors[rows], pages[rows]), seconds[rows]


model = network()
model.compile(optimizer="adam", loss=["mse", "binary_crossentropy"])
model.fit(batches(), steps_per_epoch=ROWS // BATCH, epochs=1, verbose=0)
