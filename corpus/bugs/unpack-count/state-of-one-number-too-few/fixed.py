import numpy as np
from scipy.integrate import odeint
def lorenz(s, t, sigma=10, rho=28, beta=8 / 3):
    x, y, z = s
    return [sigma * (y - x), x * (rho - z) - y, x * y - beta * z]
sol = odeint(lorenz, [1.0, 1.0, 1.0], np.linspace(0, 1, 100))
