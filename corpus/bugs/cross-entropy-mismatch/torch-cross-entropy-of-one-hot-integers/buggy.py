import torch
import torch.nn.functional as F
from torch import nn

model = nn.Sequential(nn.Flatten(), nn.Linear(28 * 28, 10))
x = torch.randn(16, 1, 28, 28)
y = torch.randint(0, 10, (16,))
targets = F.one_hot(y, num_classes=10)
loss = nn.CrossEntropyLoss()(model(x), targets)
loss.backward()
