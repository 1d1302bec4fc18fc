import torch
from torch import nn

ids = torch.tensor([[1, 5, 2], [4, 0, 3]])
embed = nn.Embedding(10, 6)
print(embed(ids).shape)
