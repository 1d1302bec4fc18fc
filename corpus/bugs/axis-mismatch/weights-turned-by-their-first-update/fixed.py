"""Which of three grape varieties a wine is made of: softmax regression, written out by hand."""

import numpy as np

rng = np.random.default_rng(11)
EPOCHS, RATE = 300, 0.2
variety = rng.integers(0, 3, 178)
wines = rng.normal(0, 1, (178, 13)) + 0.8 * variety[:, None]
targets = np.eye(3)[variety]


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


class Softmax:
    def __init__(self, features, classes):
        self.weights = np.zeros((features, classes))
        self.bias = np.zeros(classes)

    def predict(self, samples):
        return softmax(samples @ self.weights + self.bias)

    def learn(self, samples, wanted):
        error = (self.predict(samples) - wanted) / len(samples)
        self.weights = self.weights - RATE * (samples.T @ error)
        self.bias = self.bias - RATE * error.sum(axis=0)


model = Softmax(wines.shape[1], targets.shape[1])
for epoch in range(EPOCHS):
    model.learn(wines, targets)
print("right:", (model.predict(wines).argmax(axis=1) == variety).mean().round(2))
