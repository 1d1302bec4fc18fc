import torch
from torch import nn

encoder = nn.GRU(16, 32, batch_first=True)
decoder = nn.GRU(16, 32, batch_first=True)
source, target = torch.randn(4, 9, 16), torch.randn(4, 7, 16)
states, last = encoder(source)
outputs, _ = decoder(target, states[:, -1])
print(outputs.shape)
