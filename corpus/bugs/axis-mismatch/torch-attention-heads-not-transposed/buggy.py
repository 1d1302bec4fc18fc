import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (part.view(b, t, self.heads, self.size).transpose(1, 2) for part in (q, k, v))
        weights = torch.softmax(q @ k / self.size**0.5, dim=-1)
        out = (weights @ v).transpose(1, 2).reshape(b, t, c)
        return self.proj(out)


print(SelfAttention(48, 4)(torch.randn(2, 10, 48)).shape)
