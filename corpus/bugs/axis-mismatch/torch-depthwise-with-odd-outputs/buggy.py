import torch
from torch import nn


def separable(inside, out):
    return nn.Sequential(nn.Conv2d(inside, out, 3, padding=1, groups=inside), nn.Conv2d(out, out, 1))


print(separable(24, 40)(torch.randn(1, 24, 8, 8)).shape)
