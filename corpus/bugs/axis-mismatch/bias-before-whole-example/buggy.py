import numpy as np


class Table:
    """Examples in rows; one column is the target, the others are inputs."""

    def __init__(self, rows, target=-1):
        self.rows = np.asarray(rows, dtype=float)
        self.target = self.rows.shape[1] + target if target < 0 else target
        self.inputs = [i for i in range(self.rows.shape[1]) if i != self.target]


def linear_learner(table, rate=0.001, epochs=20):
    """Weights of a linear unit, found by one step per example."""
    examples = table.rows
    target_values = examples[:, table.target]
    columns = examples[:, table.inputs]
    n = len(examples)
    weights = np.random.RandomState(0).uniform(-0.5, 0.5, size=len(table.inputs) + 1)

    for _ in range(epochs):
        errors = np.zeros(n)
        with_bias = np.hstack([np.ones((n, 1)), columns])
        for i in range(n):
            errors[i] = target_values[i] - np.dot(weights, with_bias[i])
        weights = weights + rate * with_bias.T.dot(errors) / n

    def predict(example):
        x = np.concatenate([[1.0], example])
        return np.dot(weights, x)

    return predict


rng = np.random.RandomState(8)
measures = rng.normal(5.0, 1.0, size=(40, 4))
species = (measures[:, 2] > 5).astype(float) + (measures[:, 3] > 5)
iris = Table(np.column_stack([measures, species]))

predict = linear_learner(iris)
errors = 0
for example in iris.rows:
    if round(predict(example)) != example[iris.target]:
        errors += 1
print("wrong on", errors, "of", len(iris.rows))
