import torch
from torch import nn

q = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
s, s2, r = torch.randn(32, 4), torch.randn(32, 4), torch.randn(32)
a = torch.randint(0, 2, (32, 1))
chosen = q(s).gather(1, a)
target = r + 0.99 * q(s2).max(1)[0].detach()
loss = nn.functional.mse_loss(chosen, target)
loss.backward()
