import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(33, 6), torch.rand(33))
model = nn.Linear(6, 1)
outputs = []
for x, y in DataLoader(data, batch_size=8):
    outputs.append(model(x).squeeze())
print(torch.cat(outputs).shape)
