import torch
from torch import nn

factor = 3
net = nn.Sequential(nn.Conv2d(1, 32, 5, padding=2), nn.ReLU(), nn.Conv2d(32, factor**2, 3, padding=1), nn.PixelShuffle(factor))
print(net(torch.rand(1, 1, 20, 20)).shape)
