import numpy as np
from scipy.optimize import curve_fit
def model(x, a, b, c):
    return a * np.exp(-b * x) + c
x = np.linspace(0, 4, 50)
y = model(x, 2.5, 1.3, 0.5)
popt, pcov = curve_fit(model, x, y, p0=[1.0, 1.0])
