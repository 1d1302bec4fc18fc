import torch
from torch import nn

model = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 4))
criterion = nn.CrossEntropyLoss()
readings = torch.randn(32, 6)
grade = torch.randint(0, 4, (32, 1))
loss = criterion(model(readings), grade)
loss.backward()
