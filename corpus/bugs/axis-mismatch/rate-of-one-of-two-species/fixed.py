import numpy as np
from scipy.integrate import odeint

BIRTHS, MEALS, DEATHS = 1.1, 0.4, 0.8


def rates(numbers, time):
    hares, foxes = numbers
    growth = BIRTHS * hares - MEALS * hares * foxes
    decline = 0.1 * hares * foxes - DEATHS * foxes
    return [growth, decline]


years = np.linspace(0, 30, 400)
history = odeint(rates, [10.0, 5.0], years)
print(history[-1], history[:, 1].max())
