"""Policy gradients: the more an action has brought, the likelier it becomes."""

import torch
from torch import nn

policy = nn.Sequential(nn.Linear(6, 24), nn.Tanh(), nn.Linear(24, 3), nn.Softmax(dim=1))
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)


def step(states, actions, returns):
    likely = policy(states)
    taken = torch.log(likely[:, actions])
    loss = -torch.mean(taken * returns)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


states = torch.randn(40, 6)
actions = torch.randint(0, 3, (40,))
returns = torch.randn(40)
print(step(states, actions, returns))
