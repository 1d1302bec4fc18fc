import torch
from torch import nn

table = torch.randn(500, 300)
emb = nn.Embedding.from_pretrained(table)
fc = nn.Linear(300, 5)
x = torch.randint(0, 500, (8, 20))
print(fc(emb(x).mean(dim=1)).shape)
