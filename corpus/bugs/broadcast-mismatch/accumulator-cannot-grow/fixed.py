import numpy as np


def batches(data, size):
    for start in range(0, data.shape[0], size):
        yield data[start:start + size]


data = np.random.default_rng(1).normal(size=(120, 7))

total = np.zeros(7)
scatter = np.zeros((7, 7))
for batch in batches(data, 30):
    total += batch.sum(axis=0)
    scatter += batch.T @ batch

mean = total / len(data)
covariance = scatter / len(data) - np.outer(mean, mean)
print(np.diag(covariance))
