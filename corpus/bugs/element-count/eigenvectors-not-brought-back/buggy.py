import numpy as np


def normalize(X, low, high, dtype=None):
    X = np.asarray(X)
    minX, maxX = np.min(X), np.max(X)
    X = X - float(minX)
    X = X / float((maxX - minX))
    X = X * (high - low)
    X = X + low
    return np.asarray(X, dtype=dtype)


def read_images(people, each, sz=(28, 23)):
    X, y = [], []
    c = 0
    for person in range(people):
        for i in range(each):
            X.append(np.random.randint(0, 255, sz).astype(np.uint8))
            y.append(c)
        c = c + 1
    return [X, y]


def as_row_matrix(X):
    if len(X) == 0:
        return np.array([])
    mat = np.empty((0, X[0].size), dtype=X[0].dtype)
    for row in X:
        mat = np.vstack((mat, np.asarray(row).reshape(1, -1)))
    return mat


def pca(X, y, num_components=0):
    [n, d] = X.shape
    if (num_components <= 0) or (num_components > n):
        num_components = n
    mu = X.mean(axis=0)
    X = X - mu
    if n > d:
        C = np.dot(X.T, X)
        [eigenvalues, eigenvectors] = np.linalg.eigh(C)
    else:
        C = np.dot(X, X.T)
        [eigenvalues, eigenvectors] = np.linalg.eigh(C)
    idx = np.argsort(-eigenvalues)
    eigenvalues = eigenvalues[idx]
    eigenvectors = eigenvectors[:, idx]
    eigenvalues = eigenvalues[0:num_components].copy()
    eigenvectors = eigenvectors[:, 0:num_components].copy()
    return [eigenvalues, eigenvectors, mu]


def project(W, X, mu=None):
    if mu is None:
        return np.dot(X, W)
    return np.dot(X - mu, W)


def reconstruct(W, Y, mu=None):
    if mu is None:
        return np.dot(Y, W.T)
    return np.dot(Y, W.T) + mu


[X, y] = read_images(10, 8)
[D, W, mu] = pca(as_row_matrix(X), y)

E = []
for i in range(min(len(X), 16)):
    e = W[:, i].reshape(X[0].shape)
    E.append(normalize(e, 0, 255))
print(len(E))

steps = [i for i in range(10, min(len(X), 80), 20)]
for k in steps:
    P = project(W[:, 0:k], X[0].reshape(1, -1), mu)
    R = reconstruct(W[:, 0:k], P, mu).reshape(X[0].shape)
    print(k, R.shape)
