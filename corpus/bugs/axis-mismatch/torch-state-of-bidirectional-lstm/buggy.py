import torch
from torch import nn


class Sentiment(nn.Module):
    def __init__(self, width=12, hidden=20, layers=2):
        super().__init__()
        self.hidden, self.layers = hidden, layers
        self.lstm = nn.LSTM(width, hidden, layers, batch_first=True, bidirectional=True)
        self.head = nn.Linear(2 * hidden, 1)

    def init(self, batch):
        size = (self.layers, batch, self.hidden)
        return torch.zeros(size), torch.zeros(size)

    def forward(self, x):
        out, _ = self.lstm(x, self.init(x.size(0)))
        return torch.sigmoid(self.head(out[:, -1]))


print(Sentiment()(torch.randn(3, 15, 12)).shape)
