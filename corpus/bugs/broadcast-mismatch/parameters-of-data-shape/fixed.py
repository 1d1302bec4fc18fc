import numpy as np

np.random.seed(11)


def generate(rows=1000, columns=5, noise=0.1):
    X = 10 * np.random.rand(rows, columns)
    weights = np.arange(1.0, columns + 1)
    y = np.dot(X, weights) + noise * np.random.randn(rows)
    return X, y


def standardize(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


class LinearRegression:
    """Least squares by gradient descent."""

    def __init__(self, learning_rate=0.05, iterations=200, tolerance=1e-8):
        self.learning_rate = learning_rate
        self.iterations = iterations
        self.tolerance = tolerance
        self.history = []

    def gradient(self, X, y):
        m = len(y)
        error = np.dot(X, self.theta) - y
        cost = np.sum(error ** 2) / (2 * m)
        return cost, np.dot(X.T, error) / m

    def fit(self, X, y):
        self.theta = np.zeros(X.shape[1])
        for i in range(self.iterations):
            cost, gradient = self.gradient(X, y)
            self.history.append(cost)
            if i > 0 and abs(self.history[-2] - cost) < self.tolerance:
                break
            self.theta = self.theta - self.learning_rate * gradient
        return self

    def predict(self, X):
        return np.dot(X, self.theta)


X, y = generate()
X = standardize(X)
y = y - y.mean()
model = LinearRegression(learning_rate=0.1)
model.fit(X, y)
print("cost after", len(model.history), "steps:", model.history[-1])
print("theta", model.theta)
residual = y - model.predict(X)
print("R2", 1 - np.sum(residual ** 2) / np.sum((y - y.mean()) ** 2))
