import torch
from torch import nn

layers, batch, hidden = 2, 4, 32
gru = nn.GRU(8, hidden, num_layers=layers)
state = torch.zeros(1, batch, hidden)
out, state = gru(torch.randn(15, batch, 8), state)
print(out.shape)
