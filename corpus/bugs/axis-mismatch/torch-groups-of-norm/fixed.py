import torch
from torch import nn

block = nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.GroupNorm(8, 32), nn.SiLU())
print(block(torch.randn(1, 3, 16, 16)).shape)
