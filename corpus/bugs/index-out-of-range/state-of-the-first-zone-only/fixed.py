from scipy.integrate import odeint
import numpy as np


L = [8.0, 4.0, 8.0]
dN = 5.0
N = [int(l * dN) for l in L]
D1, D2 = 0.1, 0.3
h = 1.0 / dN

y0 = np.zeros(sum(N))
y0[:5] = 1.0


def numeric(y, t, h, D1, D2, N):
    dydt = np.zeros(sum(N))
    dydt[0] = 0
    dydt[-1] = 0
    for i in range(1, N[0] - 2):
        dydt[i] = D1 * (y[i - 1] - 2 * y[i] + y[i + 1]) / h**2
    for i in [N[0] + 1]:
        dydt[i] = D2 * (-3 * y[i] + 4 * y[i + 1] - y[i + 2]) / h**2
    for i in range(N[0] + 2, N[0] + N[1] - 2):
        dydt[i] = D2 * (y[i - 1] - 2 * y[i] + y[i + 1]) / h**2
    return dydt


t = np.linspace(0, 2, 50)
U = odeint(numeric, y0, t, args=(h, D1, D2, N))
print(U.shape)
