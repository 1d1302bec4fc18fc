#!/usr/bin/env python
"""Clustering and projection tools in plain NumPy."""
import numpy as np
from numpy import linalg as la


def pairwise_sq(a, b):
    """(n, d), (m, d) -> (n, m) squared distances without a loop."""
    aa = np.sum(a * a, axis=1)[:, None]
    bb = np.sum(b * b, axis=1)[None, :]
    return np.maximum(aa + bb - 2.0 * a @ b.T, 0.0)


class KMeans:
    def __init__(self, k, rounds=20, seed=None, init="plus"):
        self.k, self.rounds, self.init = k, rounds, init
        self.rng = np.random.default_rng(seed)

    def _start(self, x):
        if self.init == "random":
            return x[self.rng.choice(len(x), self.k, replace=False)].copy()
        centres = np.empty((self.k, x.shape[1]))
        centres[0] = x[self.rng.integers(len(x))]
        for j in range(1, self.k):
            gap = pairwise_sq(x, centres[:j]).min(axis=1)
            centres[j] = x[self.rng.choice(len(x), p=gap / gap.sum())]
        return centres

    def fit(self, x):
        x = np.asarray(x, dtype=float)
        if x.ndim == 1:
            x = x[:, None]
        self.centres_ = self._start(x)
        for self.n_rounds_ in range(1, self.rounds + 1):
            labels = pairwise_sq(x, self.centres_).argmin(axis=1)
            moved = self.centres_.copy()
            for j in range(self.k):
                members = x[labels == j]
                if len(members):
                    moved[j] = members.mean(axis=0)
            shift = np.abs(moved - self.centres_).max()
            self.centres_ = moved
            if shift < 1e-6:
                break
        self.labels_ = labels
        self.inertia_ = float(pairwise_sq(x, self.centres_)[np.arange(len(x)), labels].sum())
        return self

    def predict(self, x):
        x = np.atleast_2d(x)
        return np.argmin(pairwise_sq(x, self.centres_), axis=-1)


class PCA:
    def __init__(self, n=None, whiten=False):
        self.n, self.whiten = n, whiten

    def fit(self, x):
        n_rows, n_cols = x.shape
        keep = self.n or min(n_rows, n_cols)
        self.mean_ = x.mean(0)
        u, s, vt = la.svd(x - self.mean_, full_matrices=False)
        self.axes_ = vt[:keep]
        self.variance_ = s[:keep] ** 2 / (n_rows - 1)
        self.ratio_ = self.variance_ / (s ** 2 / (n_rows - 1)).sum()
        return self

    def transform(self, x):
        z = np.dot(x - self.mean_, self.axes_.T)
        if self.whiten:
            z /= np.sqrt(self.variance_)
        return z

    def inverse(self, z):
        if self.whiten:
            z = z * np.sqrt(self.variance_)
        return z @ self.axes_ + self.mean_


def silhouette(x, labels):
    table = np.sqrt(pairwise_sq(x, x))
    groups = np.unique(labels)
    same = labels[:, None] == labels[None, :]
    inside = (table * same).sum(1) / np.maximum(same.sum(1) - 1, 1)
    outside = np.full(len(x), np.inf)
    for g in groups:
        member = labels == g
        mean = table[:, member].mean(axis=1)
        outside = np.where(member, outside, np.minimum(outside, mean))
    return ((outside - inside) / np.maximum(outside, inside)).mean()


def confusion(a, b):
    size = max(a.max(), b.max()) + 1
    table = np.zeros((size, size), dtype=int)
    np.add.at(table, (a, b), 1)
    return table


def gaussians(sizes, dims=8, spread=0.4, seed=0):
    rng = np.random.default_rng(seed)
    middle = rng.normal(0, 3, (len(sizes), dims))
    parts = [m + spread * rng.standard_normal((n, dims)) for m, n in zip(middle, sizes)]
    truth = np.repeat(np.arange(len(sizes)), sizes)
    order = rng.permutation(sum(sizes))
    return np.vstack(parts)[order], truth[order]


def kernel_matrix(x, y=None, gamma=None, kind="rbf"):
    y = x if y is None else y
    if kind == "linear":
        return np.inner(x, y)
    gamma = gamma or 1.0 / x.shape[-1]
    gap = x[:, np.newaxis] - y[np.newaxis]
    return np.exp(-gamma * np.einsum("ijk,ijk->ij", gap, gap))


if __name__ == "__main__":
    x, truth = gaussians([30, 40, 25])
    for init in ("plus", "random"):
        km = KMeans(3, seed=4, init=init).fit(x)
        print(init, km.n_rounds_, round(km.inertia_, 2), round(silhouette(x, km.labels_), 3))
        print(confusion(truth, km.labels_))
    print("one point", km.predict(x[0]), "many", km.predict(x[:4]))
    print("one dimension", KMeans(2, seed=0).fit(np.r_[np.zeros(5), np.ones(6)]).centres_.ravel())

    for whiten in (False, True):
        pca = PCA(3, whiten=whiten).fit(x)
        z = pca.transform(x)
        error = la.norm(x - pca.inverse(z), axis=1)
        print(z.shape, pca.ratio_.round(2), error.mean().round(3), np.cov(z, rowvar=False).shape)

    gram = kernel_matrix(x, x[:10])
    centred = gram - gram.mean(axis=0, keepdims=True) - gram.mean(axis=1, keepdims=True) + gram.mean()
    print(gram.shape, abs(centred.sum(0)).max() < 1e-9, kernel_matrix(x, kind="linear").shape)
