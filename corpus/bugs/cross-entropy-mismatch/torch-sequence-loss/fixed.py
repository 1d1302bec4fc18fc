import torch
from torch import nn

scores = torch.randn(4, 12, 50)
y = torch.randint(0, 50, (4, 12))
print(nn.CrossEntropyLoss()(scores.transpose(1, 2), y))
