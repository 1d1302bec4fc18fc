import torch
from torch import nn
import torch.nn.functional as F

decoder = nn.Sequential(
    nn.Linear(16, 32 * 7 * 7),
    nn.Unflatten(1, (32, 7, 7)),
    nn.ConvTranspose2d(32, 16, 3, stride=2, padding=1),
    nn.ReLU(),
    nn.ConvTranspose2d(16, 1, 3, stride=2, padding=1),
    nn.Sigmoid(),
)
images = torch.rand(4, 1, 28, 28)
print(F.binary_cross_entropy(decoder(torch.randn(4, 16)), images).item())
