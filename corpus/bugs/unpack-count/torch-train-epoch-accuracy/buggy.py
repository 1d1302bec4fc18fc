import torch
from torch import nn

x = torch.randn(4, 3, 8, 8)
n, c, h = x.shape
print(nn.Flatten()(x).shape, n * c * h)
