import torch
from torch import nn

net = nn.Linear(7, 3)
x, y = torch.randn(50, 7), torch.randint(0, 3, (50, 1))
predicted = net(x).argmax(dim=1)
right = (predicted == y).sum().item()
print(right / len(y))
