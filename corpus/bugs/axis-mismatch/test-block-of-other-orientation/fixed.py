import numpy as np

SENSORS = 52
FAULTS = range(3)


def read_block(kind, fault):
    """The training blocks are stored with a row per sensor, the test blocks with a row per sample."""
    rng = np.random.RandomState(fault)
    if kind == "train":
        return rng.normal(size=(SENSORS, 500))
    return rng.normal(size=(960, SENSORS))


def load(kind):
    first = read_block(kind, 0)
    blocks, labels = [first], [np.zeros(first.shape[0])]
    return blocks, labels


def join(train_block, test_block):
    return np.append(train_block, test_block, axis=0)


def standardise(X, mean=None, std=None):
    if mean is None:
        mean, std = X.mean(axis=0), X.std(axis=0)
    return (X - mean) / std, mean, std


def windows(X, length):
    starts = range(0, len(X) - length, length)
    return np.stack([X[s:s + length] for s in starts])


data = None
for fault in FAULTS:
    block = join(read_block("train", fault).T, read_block("test", fault))
    data = block if data is None else np.append(data, block, axis=0)

data, mean, std = standardise(data)
X = windows(data, 20)
print("windows", X.shape)
