import torch
from torch import nn


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"text": nn.Linear(32, 4), "image": nn.Linear(32, 4)})
        self.body = nn.Linear(20, 32)

    def forward(self, x, kind):
        return self.heads[kind](torch.relu(self.body(x)))


model = Experts()
print(model(torch.randn(5, 20), "text").shape)
print(model(torch.randn(5, 20), "image").shape)
