import torch

states = torch.randn(12, 7, 20)
weights = torch.randn(20, 5)
print(torch.mm(states, weights).shape)
