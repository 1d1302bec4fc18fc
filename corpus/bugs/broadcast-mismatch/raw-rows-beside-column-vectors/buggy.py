import numpy as np


def load_raw(count=40, seed=0):
    rng = np.random.default_rng(seed)
    return rng.random((count, 784)), rng.integers(0, 10, size=count)


def load_wrapped(count=40, seed=0):
    """The same, each picture as a column and each label as a unit vector."""
    pictures, digits = load_raw(count, seed)
    columns = [picture.reshape(784, 1) for picture in pictures]
    targets = [np.eye(10)[:, [digit]] for digit in digits]
    return list(zip(columns, targets))


class Layer:
    def __init__(self, n_in, n_out, rng):
        self.w = rng.normal(size=(n_out, n_in)) / np.sqrt(n_in)
        self.b = rng.normal(size=(n_out, 1))

    def forward(self, a):
        self.a = a
        self.z = np.dot(self.w, a) + self.b
        return 1 / (1 + np.exp(-self.z))

    def backward(self, delta, rate):
        back = self.w.T.dot(delta)
        self.w -= rate * delta.dot(self.a.T)
        self.b -= rate * delta
        return back


rng = np.random.default_rng(3)
hidden, output = Layer(784, 30, rng), Layer(30, 10, rng)

pictures, digits = load_raw()
training = [(pictures[k:k + 10].T, digits[k:k + 10]) for k in range(0, 40, 10)]
for epoch in range(2):
    cost = 0.0
    for x, y in training:
        a1 = hidden.forward(x)
        a2 = output.forward(a1)
        cost += 0.5 * np.sum((a2 - y) ** 2)
        delta = (a2 - y.reshape(-1, 1)) * a2 * (1 - a2)
        delta = output.backward(delta, 0.5) * a1 * (1 - a1)
        hidden.backward(delta, 0.5)
    print("epoch", epoch, "cost", cost)
