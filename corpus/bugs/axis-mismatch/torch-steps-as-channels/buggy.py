import torch
from torch import nn

signal = torch.randn(16, 200, 6)
net = nn.Sequential(nn.Conv1d(6, 32, kernel_size=7, padding=3), nn.ReLU(), nn.AdaptiveMaxPool1d(1))
print(net(signal).shape)
