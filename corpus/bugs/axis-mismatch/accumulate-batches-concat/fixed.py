import numpy as np


class Model:
    def __init__(self, inputs, outputs, seed=0):
        rng = np.random.default_rng(seed)
        self.W = rng.normal(size=(inputs, outputs))
        self.b = np.zeros(outputs)

    def forward(self, x):
        z = x @ self.W + self.b
        e = np.exp(z - z.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)


def iterate(data, size):
    for start in range(0, len(data), size):
        yield data[start:start + size]


data = np.random.default_rng(1).normal(size=(100, 12))
model = Model(12, 5)
predictions = np.empty((0, 5))
for batch in iterate(data, 20):
    probabilities = model.forward(batch)
    predictions = np.concatenate([predictions, probabilities], axis=0)
print(predictions.shape, predictions.argmax(axis=1)[:5])
