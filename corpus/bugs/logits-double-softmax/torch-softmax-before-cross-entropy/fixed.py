import torch
from torch import nn


class Mood(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(20, 64)
        self.out = nn.Linear(64, 5)

    def forward(self, x):
        return self.out(torch.relu(self.body(x)))


net, loss_fn = Mood(), nn.CrossEntropyLoss()
x, y = torch.randn(16, 20), torch.randint(0, 5, (16,))
loss = loss_fn(net(x), y)
loss.backward()
