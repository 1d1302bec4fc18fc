import torch

scores = torch.randn(2, 4, 10, 10)
mask = torch.ones(2, 10, dtype=torch.bool)
print(scores.masked_fill(~mask[:, None], -1e9).softmax(-1).shape)
