import torch
from torch import nn

detector = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 1))
loss_fn = nn.BCEWithLogitsLoss()
x, y = torch.randn(8, 10), torch.randint(0, 2, (8, 1)).float()
print(loss_fn(detector(x), y))
