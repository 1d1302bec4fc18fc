import torch
import torch.nn.functional as F
from torch import nn


class Patches(nn.Module):
    def __init__(self, patch=4, width=32):
        super().__init__()
        self.patch = patch
        self.proj = nn.Linear(3 * patch * patch, width)

    def forward(self, images):
        columns = F.unfold(images, self.patch, stride=self.patch)
        return self.proj(columns.transpose(1, 2))


print(Patches()(torch.randn(2, 3, 24, 24)).shape)
