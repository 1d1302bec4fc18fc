import numpy as np


class Scaler:
    def fit(self, data):
        self.low = data.min(axis=0)
        self.span = data.max(axis=0) - self.low
        return self

    def transform(self, data):
        return (data - self.low) / self.span

    def inverse_transform(self, data):
        return data * self.span + self.low


rng = np.random.default_rng(0)
table = rng.normal(size=(80, 5))
scaler = Scaler().fit(table)
scaled = scaler.transform(table)
weights = np.linalg.lstsq(scaled[:, 1:], scaled[:, 0], rcond=None)[0]
predicted = scaled[:, 1:] @ weights
restored = scaler.inverse_transform(predicted)
print(restored.shape)
