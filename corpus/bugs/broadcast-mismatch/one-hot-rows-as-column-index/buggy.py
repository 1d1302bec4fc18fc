import numpy as np


def softmax(scores):
    scores = scores - scores.max(axis=1, keepdims=True)
    exp = np.exp(scores)
    return exp / exp.sum(axis=1, keepdims=True)


def to_one_hot(y, classes):
    return (np.arange(classes) == y[:, None]).astype(int)


def loss_and_gradient(W, X, y, reg):
    """Softmax regression without loops; y holds class numbers."""
    count = X.shape[0]
    p = softmax(X.dot(W))
    loss = -np.log(p[np.arange(count), y]).mean() + reg * np.sum(W * W)
    d = p.copy()
    d[np.arange(count), y] -= 1
    return loss, X.T.dot(d) / count + 2 * reg * W


class LinearClassifier:
    def __init__(self, classes, rate=0.1, reg=1e-4):
        self.classes, self.rate, self.reg = classes, rate, reg
        self.W = None

    def train(self, X, y, steps=50, batch=64, verbose=False):
        rng = np.random.default_rng(0)
        if self.W is None:
            self.W = 0.001 * rng.standard_normal((X.shape[1], self.classes))
        history = []
        for it in range(steps):
            rows = rng.choice(len(X), batch)
            loss, grad = loss_and_gradient(self.W, X[rows], y[rows], self.reg)
            self.W -= self.rate * grad
            history.append(loss)
            if verbose and it % 10 == 0:
                print("iteration %d / %d: loss %f" % (it, steps, loss))
        return history

    def predict(self, X):
        return X.dot(self.W).argmax(axis=1)


rng = np.random.default_rng(2)
labels = rng.integers(0, 10, size=500)
X = rng.normal(size=(500, 73)) + labels[:, None] * 0.1
y = to_one_hot(labels, 10)
model = LinearClassifier(classes=10)
model.train(X, y, verbose=True)
print((model.predict(X) == labels).mean())
