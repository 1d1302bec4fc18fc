import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self, noise=100):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(noise, 64, 4, 1, 0),
            nn.BatchNorm2d(64),
            nn.ReLU(True),
            nn.ConvTranspose2d(64, 32, 4, 2, 1),
            nn.ReLU(True),
            nn.ConvTranspose2d(32, 3, 4, 4, 0),
            nn.Tanh(),
        )

    def forward(self, z):
        return self.main(z)


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(3, 32, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(32, 64, 4, 2, 1))
        self.out = nn.Linear(64 * 8 * 8, 1)

    def forward(self, x):
        return torch.sigmoid(self.out(self.conv(x).flatten(1)))


fake = Generator()(torch.randn(6, 100, 1, 1))
print(Judge()(fake).shape)
