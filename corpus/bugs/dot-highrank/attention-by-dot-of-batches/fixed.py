import numpy as np


def attention(queries, keys, values):
    scores = np.matmul(queries, keys.transpose(0, 2, 1)) / np.sqrt(queries.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


batch = np.random.default_rng(0).normal(size=(4, 7, 5))
print(attention(batch, batch, batch).shape)
