from collections import defaultdict

import numpy as np

rng = np.random.default_rng(0)
FEATURES = 8


def group(samples, labels):
    groups = defaultdict(list)
    for sample, label in zip(samples, labels):
        groups[int(label)].append(sample)
    return groups


def centroids(groups):
    centers = []
    for label in sorted(groups):
        members = np.array(groups[label])
        centers.append(members.mean(axis=0))
    return np.stack(centers)


samples = rng.normal(size=(90, FEATURES))
labels = np.arange(90) % 3
centers = centroids(group(samples, labels))
query = rng.normal(size=(5, FEATURES))
scores = query @ centers.T
print(scores.argmax(axis=1))
