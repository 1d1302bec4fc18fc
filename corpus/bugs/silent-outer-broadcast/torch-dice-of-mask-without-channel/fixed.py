import torch
from torch import nn


def dice(predicted, mask, smooth=1.0):
    common = (predicted * mask).sum()
    return 1 - (2 * common + smooth) / (predicted.sum() + mask.sum() + smooth)


net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 1), nn.Sigmoid())
images = torch.rand(4, 3, 64, 64)
masks = torch.randint(0, 2, (4, 64, 64)).float()
loss = dice(net(images), masks.unsqueeze(1))
loss.backward()
