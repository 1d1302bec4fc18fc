import torch
from torch import nn

model = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.BCEWithLogitsLoss()
x = torch.randn(24, 12)
y = torch.randint(0, 2, (24,)).float()
loss = criterion(model(x), y.unsqueeze(1))
print(loss)
