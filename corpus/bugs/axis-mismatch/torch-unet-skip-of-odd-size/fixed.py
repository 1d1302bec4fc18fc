import torch
from torch import nn


def block(inside, out):
    return nn.Sequential(nn.Conv2d(inside, out, 3, padding=1), nn.BatchNorm2d(out), nn.ReLU())


class Segmenter(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1, self.down2 = block(1, 16), block(16, 32)
        self.up = nn.ConvTranspose2d(32, 16, 2, stride=2)
        self.merge = block(32, 16)
        self.pool = nn.MaxPool2d(2)
        self.out = nn.Conv2d(16, 1, 1)

    def forward(self, x):
        first = self.down1(x)
        second = self.down2(self.pool(first))
        joined = torch.cat([self.up(second), first], dim=1)
        return self.out(self.merge(joined))


scan = torch.randn(2, 1, 128, 128)
print(Segmenter()(scan).shape)
