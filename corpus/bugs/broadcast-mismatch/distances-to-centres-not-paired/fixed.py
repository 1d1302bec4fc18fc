import numpy as np
def kmeans(X, k, n=5):
    C = X[np.random.choice(len(X), k, replace=False)]
    for _ in range(n):
        d = np.sqrt(((X[:, None] - C[None]) ** 2).sum(axis=2))
        lab = d.argmin(axis=1)
        C = np.array([X[lab == i].mean(axis=0) for i in range(k)])
    return C
kmeans(np.random.rand(100, 2), 3)
