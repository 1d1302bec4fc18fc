import numpy as np
values = np.random.randn(1000)
counts, edges = np.histogram(values, bins=30)
centers = (edges[:-1] + edges[1:]) / 2
mean = np.sum(centers * counts) / counts.sum()
