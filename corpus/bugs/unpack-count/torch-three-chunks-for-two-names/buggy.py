import torch
from torch import nn

encoder = nn.Linear(30, 24)
x = torch.randn(5, 30)
mean, log_variance = encoder(x).chunk(3, dim=1)
z = mean + torch.randn_like(mean) * torch.exp(0.5 * log_variance)
print(z.shape)
