import torch
from torch import nn
import torch.nn.functional as F


class LeafNet(nn.Module):
    def __init__(self, species=12):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 5)
        self.conv2 = nn.Conv2d(16, 32, 5)
        self.fc = nn.Linear(32 * 5 * 5, species)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc(x.view(x.size(0), -1))


photos = torch.rand(8, 3, 32, 32)
print(LeafNet()(photos).shape)
