import math

import torch

query, key = torch.randn(2, 8, 10, 16), torch.randn(2, 8, 10, 16)
scores = torch.bmm(query, key.transpose(-2, -1)) / math.sqrt(16)
print(scores.softmax(dim=-1).shape)
