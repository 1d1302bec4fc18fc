import torch
from torch import nn

width = 300
attention = nn.MultiheadAttention(width, num_heads=8, batch_first=True)
x = torch.randn(2, 10, width)
out, weights = attention(x, x, x)
print(out.shape)
