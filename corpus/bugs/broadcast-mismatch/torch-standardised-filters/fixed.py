import torch
import torch.nn.functional as F
from torch import nn


class WSConv(nn.Conv2d):
    def forward(self, x):
        w = self.weight - self.weight.mean(dim=(1, 2, 3), keepdim=True)
        w = w / (w.flatten(1).std(dim=1).view(-1, 1, 1, 1) + 1e-5)
        return F.conv2d(x, w, self.bias, self.stride, self.padding, self.dilation, self.groups)


net = nn.Sequential(WSConv(3, 12, 3, padding=1), nn.ReLU(), WSConv(12, 24, 3, padding=1))
print(net(torch.randn(2, 3, 16, 16)).shape)
