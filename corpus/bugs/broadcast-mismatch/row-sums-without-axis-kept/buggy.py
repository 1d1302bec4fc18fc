import numpy as np
rng = np.random.default_rng(0)
X, y = rng.normal(size=(200, 5)), rng.integers(0, 3, 200)
W, b = np.zeros((5, 3)), np.zeros(3)
onehot = np.eye(3)[y]
for _ in range(10):
    z = X @ W + b
    p = np.exp(z - z.max(axis=1, keepdims=True))
    p /= p.sum(axis=1)
    g = (p - onehot) / len(X)
    W -= 0.1 * X.T @ g
    b -= 0.1 * g.sum(axis=0)
