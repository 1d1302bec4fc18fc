import torch
from torch import nn

batch = torch.rand(10, 1, 28, 28)
flat = batch.view(-1, 28 * 28)
print(nn.Linear(28 * 28, 10)(flat).shape)
