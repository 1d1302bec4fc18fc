import torch
from torch import nn

emb, gru = nn.Embedding(20, 8), nn.GRU(8, 16, batch_first=True)
h = torch.zeros(1, 5, 16)
tok = torch.zeros(5, dtype=torch.long)
out, h = gru(emb(tok).unsqueeze(1), h)
print(out.shape)
