import torch
from torch import nn

model = nn.Sequential(nn.Linear(5, 1), nn.Sigmoid())
labels = torch.tensor([[1], [0], [1], [1]])
loss = nn.BCELoss()(model(torch.randn(4, 5)), labels)
print(loss.item())
