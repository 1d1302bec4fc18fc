import torch
from torch import nn

lstm, head = nn.LSTM(10, 20, batch_first=True), nn.Linear(20, 1)
states, _ = lstm(torch.randn(5, 7, 10))
print(head(states).shape)
