import numpy as np
class Net:
    def __init__(self, sizes):
        self.b = [np.zeros(n) for n in sizes[1:]]
        self.w = [np.random.randn(m, n) for m, n in zip(sizes[:-1], sizes[1:])]
    def forward(self, x):
        for w, b in zip(self.w, self.b):
            x = np.tanh(x @ w + b)
        return x
out = Net([8, 16, 4]).forward(np.random.randn(10, 8))
