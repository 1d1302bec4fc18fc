import numpy as np

heights = np.linspace(1.5, 2.0, 12).reshape(6, 2)
design = np.insert(heights, 0, 1.0)
print("shape of the design matrix:", design.shape)
