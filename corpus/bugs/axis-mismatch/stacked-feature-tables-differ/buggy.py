import numpy as np

rng = np.random.default_rng(2)


def polynomial(x, degree):
    return np.hstack([x ** d for d in range(1, degree + 1)])


train = rng.normal(size=(40, 3))
extra = rng.normal(size=(15, 3))

features = polynomial(train, 3)
more = polynomial(extra, 2)
everything = np.concatenate([features, more], axis=0)
mean = everything.mean(axis=0)
print(everything.shape, mean.round(2))
