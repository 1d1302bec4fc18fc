import numpy as np
A = np.array([[3.0, 1.0, 2.0], [1.0, 4.0, 0.5]])
b = np.array([1.0, 2.0])
x = np.linalg.solve(A, b)
