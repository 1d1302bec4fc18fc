import math
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, i, o, t):
        super().__init__()
        self.time = nn.Linear(t, o)
        self.conv1, self.conv2 = nn.Conv2d(i, o, 3, padding=1), nn.Conv2d(o, o, 3, padding=1)
        self.norm = nn.GroupNorm(4, o)

    def forward(self, x, t):
        h = self.norm(torch.relu(self.conv1(x)))
        h = h + torch.relu(self.time(t))
        return self.conv2(h)


def embed(t, dim=16):
    half = dim // 2
    freq = torch.exp(-math.log(10000) * torch.arange(half) / (half - 1))
    a = t[:, None] * freq[None, :]
    return torch.cat((a.sin(), a.cos()), dim=-1)


t = torch.randint(0, 100, (6,))
print(Block(3, 8, 16)(torch.randn(6, 3, 12, 12), embed(t)).shape)
