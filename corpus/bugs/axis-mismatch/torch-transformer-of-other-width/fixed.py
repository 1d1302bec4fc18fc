import torch
from torch import nn

embed = nn.Embedding(1000, 128)
layer = nn.TransformerEncoderLayer(d_model=128, nhead=8, batch_first=True)
encoder = nn.TransformerEncoder(layer, num_layers=2)
tokens = torch.randint(0, 1000, (4, 25))
print(encoder(embed(tokens)).shape)
