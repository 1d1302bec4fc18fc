import torch
from torch import nn

net = nn.Sequential(
    nn.Conv1d(2, 8, 5), nn.MaxPool1d(2), nn.Conv1d(8, 16, 5), nn.MaxPool1d(2), nn.Flatten(), nn.Linear(16 * 25, 3)
)
print(net(torch.randn(4, 2, 100)).shape)
