import torch
from torch import nn

clips = torch.randn(2, 16, 3, 56, 56)
conv = nn.Conv3d(3, 8, kernel_size=3, stride=2, padding=1)
print(conv(clips.transpose(1, 2)).shape)
