import numpy as np
import torch
from torch import nn

frames = np.zeros((10, 48, 64, 3), dtype=np.float32)
batch = torch.from_numpy(frames)
features = nn.Conv2d(3, 16, 3, padding=1)(batch)
print(features.shape)
