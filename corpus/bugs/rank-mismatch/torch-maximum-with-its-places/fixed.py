import torch
from torch import nn

points = torch.randn(4, 64, 1024)
head = nn.Linear(64, 10)
pooled = torch.max(points, dim=2).values
print(head(pooled).shape)
