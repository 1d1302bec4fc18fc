import torch
from torch import nn

logits = nn.Linear(10, 5)(torch.randn(8, 10))
y = torch.randint(0, 2, (8, 5))
print(nn.CrossEntropyLoss()(logits, y))
