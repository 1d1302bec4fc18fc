import torch
from torch import nn

attention = nn.MultiheadAttention(64, 4, batch_first=True)
x = torch.randn(8, 20, 64)
padding = torch.zeros(8, 20, dtype=torch.bool)
out, _ = attention(x, x, x, attn_mask=padding)
print(out.shape)
