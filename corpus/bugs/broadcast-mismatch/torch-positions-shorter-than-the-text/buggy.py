import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, vocabulary, width, longest):
        super().__init__()
        self.words = nn.Embedding(vocabulary, width)
        self.places = nn.Parameter(torch.zeros(1, longest, width))
        self.layer = nn.TransformerEncoderLayer(width, 4, batch_first=True)

    def forward(self, ids):
        x = self.words(ids) + self.places
        return self.layer(x).mean(dim=1)


ids = torch.randint(0, 500, (4, 40))
print(Encoder(500, 32, 64)(ids).shape)
