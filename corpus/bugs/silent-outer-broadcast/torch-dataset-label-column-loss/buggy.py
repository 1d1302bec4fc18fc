import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Sensor(Dataset):
    def __init__(self, n):
        self.x = torch.randn(n, 12)
        self.y = torch.randn(n)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index], self.y[index]


model = nn.Sequential(nn.Linear(12, 8), nn.ReLU(), nn.Linear(8, 1))
for x, y in DataLoader(Sensor(96), batch_size=16, shuffle=True):
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
