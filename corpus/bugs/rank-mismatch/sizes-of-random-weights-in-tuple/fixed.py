"""A perceptron in NumPy; its weights are drawn with the sizes in a tuple."""

import numpy as np


class Perceptron:
    def __init__(self, features, hidden, classes, seed=0):
        np.random.seed(seed)
        self.w1 = np.random.randn(features, hidden) * np.sqrt(2 / features)
        self.b1 = np.zeros((1, hidden))
        self.w2 = np.random.randn(hidden, classes) * np.sqrt(2 / hidden)
        self.b2 = np.zeros((1, classes))

    def forward(self, x):
        hidden = np.maximum(x @ self.w1 + self.b1, 0)
        scores = hidden @ self.w2 + self.b2
        exponents = np.exp(scores - scores.max(axis=1, keepdims=True))
        return exponents / exponents.sum(axis=1, keepdims=True)


network = Perceptron(features=6, hidden=12, classes=3)
samples = np.linspace(-1, 1, 60).reshape(10, 6)
print(network.forward(samples).shape)
