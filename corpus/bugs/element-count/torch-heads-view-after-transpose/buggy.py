import math
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model, heads):
        super().__init__()
        assert d_model % heads == 0
        self.h, self.d_k = heads, d_model // heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (y.view(b, t, self.h, self.d_k).transpose(1, 2) for y in (q, k, v))
        att = (q @ k.transpose(-2, -1)) / math.sqrt(self.d_k)
        att = att.softmax(dim=-1)
        y = att @ v
        y = y.transpose(1, 2).view(b, t, c)
        return self.out(y)


print(SelfAttention(32, 4)(torch.randn(2, 7, 32)).shape)
