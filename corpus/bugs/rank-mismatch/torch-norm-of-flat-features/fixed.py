import torch
from torch import nn

model = nn.Sequential(
    nn.Conv2d(1, 16, 3),
    nn.ReLU(),
    nn.Flatten(),
    nn.Linear(16 * 26 * 26, 32),
    nn.BatchNorm1d(32),
    nn.Linear(32, 10),
)
print(model(torch.randn(3, 1, 28, 28)).shape)
