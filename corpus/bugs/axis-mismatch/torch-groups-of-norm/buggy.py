import torch
from torch import nn

block = nn.Sequential(nn.Conv2d(3, 36, 3, padding=1), nn.GroupNorm(8, 36), nn.SiLU())
print(block(torch.randn(1, 3, 16, 16)).shape)
