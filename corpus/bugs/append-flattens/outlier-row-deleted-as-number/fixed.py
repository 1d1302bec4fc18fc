import numpy as np

samples = np.random.default_rng(8).normal(size=(40, 5))
worst = int(np.abs(samples).max(axis=1).argmax())
kept = np.delete(samples, worst, axis=0)
centred = kept - kept.mean(axis=0)
print(centred.shape)
