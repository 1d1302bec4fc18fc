import torch
import torch.nn.functional as F
from torch import nn


class TextCNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(300, 50)
        self.convs = nn.ModuleList([nn.Conv2d(1, 20, (k, 50)) for k in (3, 4, 5)])
        self.fc = nn.Linear(60, 2)

    def forward(self, x):
        x = self.embed(x)
        maps = [F.relu(conv(x)).squeeze(3) for conv in self.convs]
        pooled = [F.max_pool1d(m, m.size(2)).squeeze(2) for m in maps]
        return self.fc(torch.cat(pooled, 1))


print(TextCNN()(torch.randint(0, 300, (8, 30))).shape)
