import torch
from torch import nn

projection = nn.Linear(64, 3 * 64)
q, k, v = projection(torch.randn(2, 10, 64)).split([64, 64, 64], dim=-1)
print((q @ k.transpose(1, 2)).shape, v.shape)
