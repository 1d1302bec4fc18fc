import torch
import torch.nn.functional as F
from torch import nn

localise = nn.Sequential(nn.Flatten(), nn.Linear(28 * 28, 32), nn.ReLU(), nn.Linear(32, 3 * 2))
images = torch.rand(5, 1, 28, 28)
theta = localise(images).view(-1, 2, 3)
grid = F.affine_grid(theta, images.size(), align_corners=False)
print(F.grid_sample(images, grid, align_corners=False).shape)
