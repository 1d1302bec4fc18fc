import numpy as np


def best_score(scores, cls):
    """Highest probability that any box has for a class."""
    return float(scores[:, cls].max())


logits = np.random.default_rng(3).normal(size=(6, 100, 4))
scores = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)

best = {}
for cls in range(4):
    best[cls] = best_score(scores.mean(axis=0), cls)
print(best)
