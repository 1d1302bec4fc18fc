import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, width, longest=100):
        super().__init__()
        table = torch.zeros(longest, width)
        steps = torch.arange(longest).unsqueeze(1)
        rates = torch.exp(torch.arange(0, width, 2) * -0.2)
        table[:, 0::2] = torch.sin(steps * rates)
        table[:, 1::2] = torch.cos(steps * rates)
        self.register_buffer("table", table.unsqueeze(0))

    def forward(self, x):
        return x + self.table[:, : x.size(1)]


print(Positions(32)(torch.randn(4, 20, 32)).shape)
