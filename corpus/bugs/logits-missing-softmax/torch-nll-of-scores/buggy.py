import torch
import torch.nn.functional as F
from torch import nn


class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(784, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        return self.fc2(x)


model = Digits()
criterion = nn.NLLLoss()
loss = criterion(model(torch.randn(32, 784)), torch.randint(0, 10, (32,)))
loss.backward()
