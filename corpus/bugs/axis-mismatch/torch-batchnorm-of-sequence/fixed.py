import torch
from torch import nn

conv = nn.Conv1d(4, 16, 3, padding=1)
norm = nn.BatchNorm1d(16)
signal = torch.randn(8, 4, 100)
print(norm(conv(signal)).shape)
