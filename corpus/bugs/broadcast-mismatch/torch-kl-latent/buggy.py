import torch
from torch import nn

enc = nn.Linear(20, 32)
mu, lv = nn.Linear(32, 8), nn.Linear(32, 6)
h = torch.relu(enc(torch.randn(4, 20)))
m, l = mu(h), lv(h)
kl = -0.5 * torch.sum(1 + l - m.pow(2) - l.exp())
print(kl)
