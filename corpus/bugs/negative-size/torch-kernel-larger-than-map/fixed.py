import torch
from torch import nn

layers = []
inside = 3
for out in (8, 16, 32, 64):
    layers += [nn.Conv2d(inside, out, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)]
    inside = out
layers.append(nn.Conv2d(64, 64, 3, padding=1))
net = nn.Sequential(*layers)
print(net(torch.randn(2, 3, 32, 32)).shape)
