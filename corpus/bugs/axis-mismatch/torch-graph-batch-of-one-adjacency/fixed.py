import torch
from torch import nn


class GraphConv(nn.Module):
    def __init__(self, inside, out):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(inside, out))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, adjacency):
        return torch.mm(adjacency, torch.mm(x, self.weight))


adjacency = torch.eye(12)
print(GraphConv(7, 16)(torch.randn(12, 7), adjacency).shape)
