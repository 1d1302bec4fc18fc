import torch
from torch import nn

model = nn.Sequential(nn.LSTM(10, 20, batch_first=True), nn.Linear(20, 1))
print(model(torch.randn(5, 7, 10)).shape)
