import numpy as np


class PCA:
    def __init__(self, n_components):
        self.n_components = n_components

    def fit(self, X):
        self.mean_ = X.mean(axis=0)
        _, singular, rows = np.linalg.svd(X - self.mean_, full_matrices=False)
        self.components_ = rows[:self.n_components]
        self.explained_variance_ = singular[:self.n_components] ** 2 / (len(X) - 1)
        return self

    def transform(self, X):
        return (X - self.mean_) @ self.components_.T

    def inverse_transform(self, codes):
        return codes @ self.components_ + self.mean_


class NearestCentroid:
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.centroids_ = np.stack([X[y == c].mean(axis=0) for c in self.classes_])
        return self

    def predict(self, X):
        distances = ((X[:, None] - self.centroids_[None]) ** 2).sum(axis=-1)
        return self.classes_[distances.argmin(axis=1)]


rng = np.random.default_rng(64)
prototypes = rng.random((10, 64))
digits = rng.integers(0, 10, size=300)
images = prototypes[digits] + 0.2 * rng.normal(size=(300, 64))
X_train, X_test, y_train, y_test = images[:240], images[240:], digits[:240], digits[240:]

pca = PCA(n_components=12).fit(X_train)
codes = pca.transform(X_train)
print("kept variance", pca.explained_variance_.sum())
print("reconstruction", np.abs(pca.inverse_transform(codes) - X_train).mean())

model = NearestCentroid().fit(codes, y_train)
test_codes = np.dot(X_test - pca.mean_, pca.components_)
print("accuracy", (model.predict(test_codes) == y_test).mean())
