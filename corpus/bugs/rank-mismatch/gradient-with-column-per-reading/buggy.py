import numpy as np
from scipy.optimize import minimize

rng = np.random.default_rng(4)
times = np.linspace(0.0, 6.0, 40)
terms = np.stack([np.ones_like(times), times, np.sin(times)], axis=1)
readings = (terms @ [0.4, 1.5, -2.0] + rng.normal(scale=0.1, size=40)).reshape(-1, 1)


def deviation(coefficients):
    return float(np.mean((terms @ coefficients - readings[:, 0]) ** 2))


def slope(coefficients):
    return 2.0 / len(times) * terms.T @ (terms @ coefficients - readings)


fit = minimize(deviation, np.zeros(3), jac=slope, method="BFGS")
print(fit.x)
