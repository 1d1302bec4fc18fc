import numpy as np
import torch
from torch import nn

features = np.random.normal(size=(40, 3))
x = torch.from_numpy(features).float()
model = nn.Linear(3, 1)
print(model(x).mean())
