import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, channels, anchors=3, classes=4):
        super().__init__()
        self.anchors, self.classes = anchors, classes
        self.conv = nn.Conv2d(channels, anchors * (5 + classes), 1)

    def forward(self, x):
        b, _, h, w = x.shape
        return self.conv(x).view(b, self.anchors, 5 + self.classes, h, w).permute(0, 1, 3, 4, 2)


print(Head(32)(torch.randn(2, 32, 13, 13)).shape)
