import numpy as np
class GMM:
    def __init__(self, k, d):
        self.k = k
        self.mu = np.random.randn(k, d)
        self.cov = np.stack([np.eye(d)] * k)
        self.pi = np.full(k, 1 / k)
    def pdf(self, X, j):
        diff = X - self.mu[j]
        inv = np.linalg.inv(self.cov[j])
        e = np.exp(-0.5 * np.sum(diff @ inv * diff, axis=1))
        return e / np.sqrt(np.linalg.det(self.cov[j]) * (2 * np.pi) ** X.shape[1])
    def fit(self, X, iters=5):
        for _ in range(iters):
            r = np.array([self.pi[j] * self.pdf(X, j) for j in range(self.k)])
            r /= r.sum(axis=0)
            nk = r.sum(axis=1)
            self.mu = r @ X / nk
            self.pi = nk / len(X)
X = np.random.randn(300, 2)
GMM(3, 2).fit(X)
