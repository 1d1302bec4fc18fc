import torch
from torch import nn

q_net = nn.Linear(6, 3)
states = torch.randn(20, 6)
actions = torch.randint(0, 3, (20,))
chosen = q_net(states).gather(1, actions.unsqueeze(1)).squeeze(1)
print(chosen.shape)
