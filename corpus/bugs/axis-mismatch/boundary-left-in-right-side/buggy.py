import numpy as np
from scipy.sparse import diags
from scipy.sparse.linalg import spsolve
N = 50
A = diags([1, -2, 1], [-1, 0, 1], shape=(N - 2, N - 2), format="csr")
x = np.linspace(0, 1, N)
b = np.sin(np.pi * x)
u = spsolve(A, b)
