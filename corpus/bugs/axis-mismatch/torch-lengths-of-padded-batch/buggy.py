import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Tagger(nn.Module):
    def __init__(self, words=30, width=8, tags=5):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.lstm = nn.LSTM(width, 16, batch_first=True, bidirectional=True)
        self.out = nn.Linear(32, tags)

    def forward(self, text, lengths):
        packed = pack_padded_sequence(self.embed(text), lengths)
        hidden, _ = self.lstm(packed)
        padded, _ = pad_packed_sequence(hidden, batch_first=True)
        return self.out(padded)


text = torch.randint(0, 30, (4, 9))
print(Tagger()(text, torch.tensor([9, 7, 4, 2])).shape)
