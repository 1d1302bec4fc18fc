import torch
from torch import nn

adj, x = torch.eye(10), torch.randn(10, 6)
w = nn.Parameter(torch.randn(6, 4))
print(torch.mm(adj, torch.mm(x, w)).shape)
