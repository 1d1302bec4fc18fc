import torch
from torch import nn


class Conv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.lin = nn.Linear(i, o)

    def forward(self, x, edge_index):
        row, col = edge_index
        h = self.lin(x)
        out = torch.zeros_like(h)
        out.index_add_(0, col, h)
        deg = torch.bincount(col, minlength=x.size(0)).clamp(min=1)
        return out / deg.unsqueeze(-1)


x = torch.randn(10, 6)
edges = torch.randint(0, 10, (2, 33))
print(Conv(6, 4)(x, edges).shape)
