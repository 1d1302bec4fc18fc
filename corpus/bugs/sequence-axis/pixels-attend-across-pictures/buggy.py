import torch
from torch import nn


class Attending(nn.Module):
    def __init__(self, channels=16, heads=4):
        super().__init__()
        self.maps = nn.Conv2d(3, channels, 3, stride=2, padding=1)
        self.attend = nn.MultiheadAttention(channels, heads)
        self.score = nn.Linear(channels, 5)

    def forward(self, pictures):
        pixels = self.maps(pictures).flatten(2).transpose(1, 2)
        found, _ = self.attend(pixels, pixels, pixels)
        return self.score(found.mean(dim=1))


model = Attending()
print(model(torch.rand(8, 3, 20, 20)).shape)
