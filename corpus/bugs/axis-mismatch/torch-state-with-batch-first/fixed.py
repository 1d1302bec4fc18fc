import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, vocabulary, width, hidden, tags):
        super().__init__()
        self.hidden = hidden
        self.embed = nn.Embedding(vocabulary, width)
        self.lstm = nn.LSTM(width, hidden, num_layers=2, batch_first=True)
        self.out = nn.Linear(hidden, tags)

    def forward(self, words):
        n = words.size(0)
        state = torch.zeros(2, n, self.hidden)
        memory = torch.zeros(2, n, self.hidden)
        out, _ = self.lstm(self.embed(words), (state, memory))
        return self.out(out)


tagger = Tagger(100, 24, 32, 9)
print(tagger(torch.randint(0, 100, (8, 15))).shape)
