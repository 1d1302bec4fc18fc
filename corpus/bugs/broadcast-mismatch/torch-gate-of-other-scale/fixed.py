import torch
import torch.nn.functional as F
from torch import nn


class Gate(nn.Module):
    def __init__(self, skip, up, mid):
        super().__init__()
        self.skip, self.up, self.psi = nn.Conv2d(skip, mid, 1), nn.Conv2d(up, mid, 1), nn.Conv2d(mid, 1, 1)

    def forward(self, x, g):
        g = F.interpolate(g, size=x.shape[-2:], mode="bilinear", align_corners=False)
        a = torch.relu(self.skip(x) + self.up(g))
        return x * torch.sigmoid(self.psi(a))


print(Gate(16, 32, 8)(torch.randn(1, 16, 40, 40), torch.randn(1, 32, 20, 20)).shape)
