import numpy as np
from scipy.optimize import minimize
A = np.random.rand(6, 4); b = np.random.rand(6)
def loss(w):
    return np.sum((A @ w - b) ** 2)
res = minimize(loss, np.zeros(4))
