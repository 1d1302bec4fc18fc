import torch
from torch import nn

users, items = nn.Embedding(100, 16), nn.Embedding(50, 16)
tower = nn.Sequential(nn.Linear(32, 8), nn.ReLU(), nn.Linear(8, 1))
u, i = torch.randint(0, 100, (64,)), torch.randint(0, 50, (64,))
both = torch.cat([users(u), items(i)], dim=1)
print(tower(both).shape)
