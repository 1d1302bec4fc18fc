import torch
from torch import nn

text = torch.randn(3, 12, 256)
image = torch.randn(3, 49, 512)
attention = nn.MultiheadAttention(256, 4, batch_first=True)
mixed, _ = attention(text, image, image)
print(mixed.shape)
