import torch
from torch import nn

words, width = 1000, 16
text = torch.randint(0, words, (32, 50))
model = nn.Sequential(nn.Embedding(words, width), nn.Flatten(), nn.Linear(50 * width, 2))
print(model(text).shape)
