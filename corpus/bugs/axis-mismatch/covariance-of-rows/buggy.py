import numpy as np


def load_sensor(rows=250, seed=31):
    """Readings of four sensors; the last twenty rows are faulty."""
    rng = np.random.RandomState(seed)
    mix = rng.normal(size=(4, 4))
    data = rng.normal(size=(rows, 4)).dot(mix) + [20, 5, 0.3, 1000]
    data[-20:] += 8
    return data


class MahalanobisDetector:
    def __init__(self, quantile=0.99):
        self.quantile = quantile

    def fit(self, X):
        self.mean = np.mean(X, axis=0)
        self.cov = np.cov(X)
        self.inv = np.linalg.pinv(self.cov)
        self.threshold = np.quantile(self.score(X), self.quantile)
        return self

    def score(self, X):
        delta = X - self.mean
        left = np.dot(delta, self.inv)
        return np.sqrt(np.sum(left * delta, axis=1))

    def predict(self, X):
        return self.score(X) > self.threshold


if __name__ == "__main__":
    data = load_sensor()
    normal, recent = data[:200], data[200:]
    detector = MahalanobisDetector().fit(normal)
    flags = detector.predict(recent)
    print("flagged", flags.sum(), "of", len(recent))
    for row, flag in zip(recent[-5:], flags[-5:]):
        print(np.round(row, 2), "FAULT" if flag else "")
