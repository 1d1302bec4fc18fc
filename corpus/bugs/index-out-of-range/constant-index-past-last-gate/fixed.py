import numpy as np


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


class GRU:
    GATES = 3

    def __init__(self, n_in, n_hidden):
        rng = np.random.default_rng(0)
        self.wx = rng.normal(0, 0.1, (self.GATES, n_in, n_hidden))
        self.wh = rng.normal(0, 0.1, (self.GATES, n_hidden, n_hidden))
        self.n_hidden = n_hidden

    def step(self, x, h):
        update = sigmoid(x @ self.wx[0] + h @ self.wh[0])
        reset = sigmoid(x @ self.wx[1] + h @ self.wh[1])
        fresh = np.tanh(x @ self.wx[2] + (reset * h) @ self.wh[2])
        return (1 - update) * h + update * fresh

    def run(self, xs):
        h = np.zeros((xs.shape[0], self.n_hidden))
        for t in range(xs.shape[1]):
            h = self.step(xs[:, t], h)
        return h


print(GRU(4, 6).run(np.ones((2, 9, 4))).shape)
