import torch
from torch import nn

net = nn.Linear(4, 3)
loss_fn = nn.MSELoss(reduction="none")
x, y = torch.randn(8, 4), torch.randn(8, 3)
loss = loss_fn(net(x), y)
loss.mean().backward()
