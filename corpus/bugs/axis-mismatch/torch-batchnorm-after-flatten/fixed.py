import torch
from torch import nn

net = nn.Sequential(
    nn.Conv2d(1, 8, 3),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Flatten(),
    nn.BatchNorm1d(8 * 13 * 13),
    nn.Linear(8 * 13 * 13, 10),
)
print(net(torch.randn(4, 1, 28, 28)).shape)
