import numpy as np

# vibration of several machines, cut into windows that belong to one machine each
MACHINES, LENGTH, WINDOW = 16, 90, 60


def windows_per_machine(series):
    cut = series[:, : LENGTH // WINDOW * WINDOW]
    return cut.reshape(MACHINES, -1, WINDOW)


rng = np.random.default_rng(0)
series = np.cumsum(rng.normal(size=(MACHINES, LENGTH)), axis=1)
windows = windows_per_machine(series)
spread = windows.std(axis=-1)
print("windows", windows.shape, "mean spread", spread.mean())
