import torch
from torch import nn
from torch.distributions import Normal

mean = nn.Linear(3, 1)(torch.randn(16, 3))
actions = torch.randn(16)
lp = Normal(mean, 1.0).log_prob(actions)
loss = -(lp * torch.randn(16)).mean()
loss.backward()
