"""Weather stations: which ones are the farthest away from each village, and how far is that?"""

import numpy as np

rng = np.random.default_rng(2)
villages = rng.uniform(0, 100, (12, 2))
stations = rng.uniform(0, 100, (7, 2))


def distances(places, others):
    return np.sqrt(((places[:, None] - others[None]) ** 2).sum(axis=2))


far = np.sort(distances(villages, stations))[..., ::-1]
farthest = far[:, 0]
print("On average, the farthest station is", farthest.mean().round(1), "km away")
