import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.attn = nn.Linear(2 * h, h)
        self.v = nn.Linear(h, 1, bias=False)

    def forward(self, hidden, enc):
        n = enc.shape[0]
        hidden = hidden.unsqueeze(1).repeat(1, n, 1)
        enc = enc.permute(1, 0, 2)
        e = torch.tanh(self.attn(torch.cat((hidden, enc), dim=2)))
        return torch.softmax(self.v(e).squeeze(2), dim=1)


a = Attention(16)
enc = torch.randn(9, 4, 16)
w = a(torch.randn(4, 16), enc)
context = torch.bmm(w.unsqueeze(1), enc)
print(context.shape)
