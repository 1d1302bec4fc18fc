import numpy as np
from scipy.integrate import quad
coef = np.array([1.0, 0.5, 0.25])
def f(x):
    return np.sum(coef * np.exp(-x))
val, err = quad(f, 0, 1)
print(val)
