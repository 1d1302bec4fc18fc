import numpy as np

FRAMES, HEADS, DEPTH = 20, 4, 8


def split_heads(x, heads):
    frames, width = x.shape
    x = x.reshape(frames, heads, width // heads)
    return np.transpose(x, (1, 0, 2))


def attend(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (scores / scores.sum(axis=-1, keepdims=True)) @ v


x = np.random.default_rng(0).normal(size=(FRAMES, HEADS * DEPTH))
heads = split_heads(x, HEADS)
print(attend(heads, heads, heads).shape)
