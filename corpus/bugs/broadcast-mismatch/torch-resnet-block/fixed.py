import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, i, o, stride=1):
        super().__init__()
        self.c1 = nn.Conv2d(i, o, 3, stride, 1, bias=False)
        self.b1 = nn.BatchNorm2d(o)
        self.c2 = nn.Conv2d(o, o, 3, 1, 1, bias=False)
        self.down = nn.Sequential(nn.Conv2d(i, o, 1, stride), nn.BatchNorm2d(o))

    def forward(self, x):
        return torch.relu(self.c2(torch.relu(self.b1(self.c1(x)))) + self.down(x))


net = nn.Sequential(Block(3, 16), Block(16, 32, 2))
print(net(torch.randn(2, 3, 32, 32)).shape)
