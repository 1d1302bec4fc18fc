import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, width=32, image=48):
        super().__init__()
        self.attn = nn.MultiheadAttention(width, 4, kdim=image, vdim=image, batch_first=True)
        self.norm = nn.LayerNorm(width)

    def forward(self, text, image):
        return self.norm(text + self.attn(text, image, image)[0])


print(Decoder()(torch.randn(2, 7, 32), torch.randn(2, 49, 48)).shape)
