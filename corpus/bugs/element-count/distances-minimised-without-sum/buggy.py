import numpy as np
from scipy.optimize import minimize

STATIONS = np.array([[0.0, 1.0], [4.0, 0.5], [2.0, 5.0], [5.0, 4.0]])
PULLS = np.array([1.0, 2.0, 1.0, 0.5])


class Depot:
    def __init__(self, start):
        self.place = np.asarray(start, dtype=float)

    def effort(self, place):
        return PULLS * np.linalg.norm(STATIONS - place, axis=1)

    def settle(self):
        found = minimize(self.effort, self.place, method="Nelder-Mead")
        self.place = found.x
        return self.place


print(Depot([1.0, 1.0]).settle())
