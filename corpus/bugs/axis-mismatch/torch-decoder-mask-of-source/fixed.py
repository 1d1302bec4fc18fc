import torch
from torch import nn


class Translator(nn.Module):
    def __init__(self, vocab=50, d=32):
        super().__init__()
        self.src, self.tgt = nn.Embedding(vocab, d), nn.Embedding(vocab, d)
        self.transformer = nn.Transformer(d, 4, 1, 1, 64, batch_first=True)
        self.out = nn.Linear(d, vocab)

    def forward(self, src, tgt):
        mask = nn.Transformer.generate_square_subsequent_mask(tgt.size(1))
        h = self.transformer(self.src(src), self.tgt(tgt), tgt_mask=mask)
        return self.out(h)


model = Translator()
src = torch.randint(0, 50, (4, 12))
tgt = torch.randint(0, 50, (4, 9))
print(model(src, tgt).shape)
