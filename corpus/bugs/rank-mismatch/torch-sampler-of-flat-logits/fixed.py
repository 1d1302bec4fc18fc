import torch
from torch import nn


class Bigram(nn.Module):
    def __init__(self, words=27):
        super().__init__()
        self.table = nn.Embedding(words, words)

    def generate(self, text, count):
        for _ in range(count):
            scores = self.table(text)[:, -1, :]
            step = torch.multinomial(scores.softmax(-1), 1)
            text = torch.cat([text, step], dim=1)
        return text


print(Bigram().generate(torch.zeros(2, 1, dtype=torch.long), 4).shape)
