import numpy as np


class RNN:
    def __init__(self, n_in, n_hidden, n_out, seed=1):
        rng = np.random.default_rng(seed)
        self.Wxh = rng.normal(scale=0.1, size=(n_in, n_hidden))
        self.Whh = rng.normal(scale=0.1, size=(n_hidden, n_hidden))
        self.Why = rng.normal(scale=0.1, size=(n_hidden, n_out))
        self.bh = np.zeros((1, n_hidden))

    def step(self, x, h):
        return np.tanh(x @ self.Wxh + h @ self.Whh + self.bh)

    def forward(self, inputs, h):
        outputs = []
        for t in range(inputs.shape[1]):
            h = self.step(inputs[:, t], h)
            outputs.append(h @ self.Why)
        return np.stack(outputs, axis=1), h


model = RNN(5, 16, 3)
train = np.zeros((32, 9, 5))
test = np.zeros((10, 9, 5))
h = np.zeros((32, 16))
outputs, h = model.forward(train, h)
h = np.zeros((10, 16))
outputs, h = model.forward(test, h)
print(outputs.shape)
