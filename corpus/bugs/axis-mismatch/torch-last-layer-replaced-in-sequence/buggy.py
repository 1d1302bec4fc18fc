import torch
from torch import nn

backbone = nn.Sequential(nn.Linear(64, 40), nn.ReLU(), nn.Linear(40, 24), nn.ReLU(), nn.Linear(24, 10))
width = backbone[0].in_features
backbone[-1] = nn.Linear(width, 3)
print(backbone(torch.randn(7, 64)).shape)
