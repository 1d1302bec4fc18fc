import torch
from torch import nn


class Twins(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(50, 32), nn.ReLU())
        self.head = nn.Linear(2 * 32, 1)

    def forward(self, one, other):
        return torch.sigmoid(self.head(torch.abs(self.body(one) - self.body(other))))


print(Twins()(torch.randn(9, 50), torch.randn(9, 50)).shape)
