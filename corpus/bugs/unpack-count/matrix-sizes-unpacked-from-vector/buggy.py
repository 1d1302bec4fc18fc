import numpy as np


def add_intercept(x):
    rows, cols = x.shape
    out = np.ones((rows, cols + 1))
    out[:, 1:] = x
    return out


def least_squares(x, y):
    x = add_intercept(x)
    return np.linalg.pinv(x.T @ x) @ x.T @ y


data = np.random.default_rng(0).normal(size=(200, 3))
outcome = data @ [0.5, -1.0, 2.0] + 3.0

full = least_squares(data, outcome)
print("all columns", full.round(3))
for column in range(data.shape[1]):
    single = least_squares(data[:, column], outcome)
    print(f"column {column}:", single.round(3))
