import torch
from torch import nn


def block(i, o):
    return nn.Sequential(
        nn.Conv2d(i, o, 3, padding=1), nn.ReLU(inplace=True), nn.Conv2d(o, o, 3, padding=1), nn.ReLU(inplace=True)
    )


class UNet(nn.Module):
    def __init__(self, channels=(1, 8, 16, 32)):
        super().__init__()
        self.downs = nn.ModuleList(block(i, o) for i, o in zip(channels[:-1], channels[1:]))
        self.ups = nn.ModuleList(
            nn.ConvTranspose2d(i, o, 2, stride=2) for i, o in zip(channels[:1:-1], channels[-2:0:-1])
        )
        self.convs = nn.ModuleList(block(i, o) for i, o in zip(channels[:1:-1], channels[-2:0:-1]))
        self.pool = nn.MaxPool2d(2)
        self.last = nn.Conv2d(channels[1], 1, 1)

    def forward(self, x):
        skips = []
        for i, down in enumerate(self.downs):
            x = down(x)
            if i < len(self.downs) - 1:
                skips.append(x)
                x = self.pool(x)
        for up, conv, skip in zip(self.ups, self.convs, reversed(skips)):
            x = up(x)
            x = conv(torch.cat([skip, x], dim=1))
        return self.last(x)


net = UNet()
print(net(torch.randn(2, 1, 50, 50)).shape)
