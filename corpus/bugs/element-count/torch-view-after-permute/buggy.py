import torch
from torch import nn

maps = torch.randn(4, 16, 7, 7)
tokens = maps.permute(0, 2, 3, 1)
flat = tokens.view(4, 49 * 16)
print(nn.Linear(784, 10)(flat).shape)
