import torch
from torch import nn

maps = nn.Conv2d(3, 48, 4, stride=4)(torch.randn(2, 3, 64, 64))
norm = nn.LayerNorm(48)
print(norm(maps.permute(0, 2, 3, 1)).shape)
