import torch
import torch.nn.functional as F
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))

    def forward(self, state):
        return F.softmax(self.layers(state), dim=1)


probabilities = Policy()(torch.randn(50, 8))
print(probabilities.sum(1))
