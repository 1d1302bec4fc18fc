import torch
from torch import nn


class Sentiment(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.embed = nn.Embedding(500, 32)
        self.rnn = nn.GRU(32, hidden, batch_first=True, bidirectional=True)
        self.head = nn.Linear(hidden * 2, 1)

    def forward(self, tokens):
        states, _ = self.rnn(self.embed(tokens))
        return self.head(states.mean(dim=1))


print(Sentiment()(torch.randint(500, (6, 20))).shape)
