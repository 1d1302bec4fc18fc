import torch
from torch import nn


class Forecaster(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.rnn = nn.LSTM(features, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, series):
        _, (h, c) = self.rnn(series)
        return self.head(torch.cat([h, series[:, -1]], dim=1))


print(Forecaster(3, 16)(torch.randn(10, 24, 3)).shape)
