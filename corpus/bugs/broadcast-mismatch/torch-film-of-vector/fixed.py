import torch
from torch import nn


class FiLM(nn.Module):
    def __init__(self, cond, channels):
        super().__init__()
        self.lin = nn.Linear(cond, 2 * channels)

    def forward(self, x, c):
        gamma, beta = self.lin(c).chunk(2, dim=1)
        return x * gamma[:, :, None, None] + beta[:, :, None, None]


print(FiLM(10, 16)(torch.randn(4, 16, 12, 12), torch.randn(4, 10)).shape)
