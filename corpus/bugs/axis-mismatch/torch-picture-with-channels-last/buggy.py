import numpy as np
import torch
from torch import nn

picture = np.random.rand(48, 64, 3).astype("float32")
tensor = torch.from_numpy(picture).unsqueeze(0)
conv = nn.Conv2d(3, 4, kernel_size=5, stride=2)
print(conv(tensor).shape)
