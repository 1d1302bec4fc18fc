import torch
from torch import nn


class ViT(nn.Module):
    def __init__(self, size=32, patch=8, d=48):
        super().__init__()
        self.embed = nn.Conv2d(3, d, patch, patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, d))
        n = (size // patch) ** 2
        self.pos = nn.Parameter(torch.zeros(1, n + 1, d))

    def forward(self, x):
        x = self.embed(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(x.shape[0], -1, -1), x], dim=1)
        return x + self.pos


print(ViT()(torch.randn(2, 3, 32, 32)).shape)
