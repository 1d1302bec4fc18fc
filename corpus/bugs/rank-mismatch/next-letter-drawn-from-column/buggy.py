import numpy as np
hidden, vocab, seq = 100, 27, 25
Wxh = np.random.randn(hidden, vocab) * 0.01
Whh = np.random.randn(hidden, hidden) * 0.01
Why = np.random.randn(vocab, hidden) * 0.01
bh = np.zeros((hidden, 1))
by = np.zeros((vocab, 1))
def sample(h, ix, n):
    x = np.zeros((vocab, 1))
    x[ix] = 1
    out = []
    for t in range(n):
        h = np.tanh(Wxh @ x + Whh @ h + bh)
        y = Why @ h + by
        p = np.exp(y) / np.sum(np.exp(y))
        ix = np.random.choice(range(vocab), p=p)
        x = np.zeros((vocab, 1)); x[ix] = 1
        out.append(ix)
    return out
print(sample(np.zeros((hidden, 1)), 0, 20))
