import torch
from torch import nn
import torch.nn.functional as F


class Residual(nn.Module):
    def __init__(self, inside, out, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inside, out, 3, stride, 1)
        self.conv2 = nn.Conv2d(out, out, 3, 1, 1)
        self.short = nn.Sequential() if (inside, stride) == (out, 1) else nn.Conv2d(inside, out, 1, stride)

    def forward(self, x):
        y = self.conv2(F.relu(self.conv1(x)))
        return F.relu(y + self.short(x))


net = nn.Sequential(Residual(3, 16), Residual(16, 32, 2))
print(net(torch.randn(2, 3, 32, 32)).shape)
