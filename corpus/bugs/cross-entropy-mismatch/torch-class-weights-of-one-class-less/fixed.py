import torch
from torch import nn

counts = torch.tensor([50.0, 20.0, 5.0, 40.0])
criterion = nn.CrossEntropyLoss(weight=1 / counts)
scores = torch.randn(16, 4)
print(criterion(scores, torch.randint(0, 4, (16,))))
