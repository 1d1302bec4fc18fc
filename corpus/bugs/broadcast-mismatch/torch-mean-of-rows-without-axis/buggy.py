import torch

scores = torch.randn(10, 6)
centred = scores - scores.mean(dim=1)
print(centred.shape)
