import torch
from torch import nn
from torch.distributions import Categorical

policy = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
observations = torch.randn(30, 4)
chances = Categorical(logits=policy(observations))
actions = chances.sample()
returns = torch.arange(30.0).flip(0).unsqueeze(1)
loss = -(chances.log_prob(actions) * returns).mean()
loss.backward()
