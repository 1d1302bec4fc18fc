import numpy as np


def record(trials):
    rng = np.random.default_rng(1)
    table = np.empty((0, 3))
    for _ in range(trials):
        row = rng.normal(size=(1, 3))
        table = np.append(table, row, axis=0)
    return table


print(record(5).shape)
