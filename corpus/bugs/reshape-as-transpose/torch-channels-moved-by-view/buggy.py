import numpy as np
import torch
from torch import nn

pictures = torch.from_numpy(np.random.rand(10, 32, 32, 3)).float()
batch = pictures.view(10, 3, 32, 32)
features = nn.Conv2d(3, 8, 3)(batch)
print(features.shape)
