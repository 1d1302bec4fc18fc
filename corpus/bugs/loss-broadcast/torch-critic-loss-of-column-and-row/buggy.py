import torch
import torch.nn.functional as F
from torch import nn

critic = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)
observations = torch.randn(64, 4)
returns = torch.randn(64)
values = critic(observations)
loss = F.smooth_l1_loss(values, returns)
optimizer.zero_grad()
loss.backward()
optimizer.step()
