import math

import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, width, longest=100):
        super().__init__()
        at = torch.arange(longest).unsqueeze(1)
        rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
        table = torch.zeros(longest, 1, width)
        table[:, 0, 0::2] = torch.sin(at * rates)
        table[:, 0, 1::2] = torch.cos(at * rates)
        self.register_buffer("table", table)

    def forward(self, steps):
        return steps + self.table[: steps.size(0)]


class Encoder(nn.Module):
    def __init__(self, words=50, width=32):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.place = Positions(width)
        self.encode = nn.TransformerEncoderLayer(width, 4, 64, batch_first=True)

    def forward(self, text):
        placed = self.place(self.embed(text))
        return self.encode(placed)


print(Encoder()(torch.randint(0, 50, (6, 9))).shape)
