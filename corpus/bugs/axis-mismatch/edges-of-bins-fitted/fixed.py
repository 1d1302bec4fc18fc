import numpy as np
from scipy.optimize import curve_fit


def bell(x, height, centre, width):
    return height * np.exp(-(((x - centre) / width) ** 2) / 2)


def peak(lengths, bins=24):
    counts, edges = np.histogram(lengths, bins=bins)
    found, _ = curve_fit(bell, (edges[:-1] + edges[1:]) / 2, counts, p0=[counts.max(), lengths.mean(), lengths.std()])
    return found


print(peak(np.random.default_rng(6).normal(12.0, 1.5, 800)))
