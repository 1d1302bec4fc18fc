import numpy as np
x = np.linspace(0, 1, 20); y = x ** 2
coef = np.polyfit(x, y, 3)
A = np.vander(x, 3)
fit = np.vander(x, 4) @ coef
