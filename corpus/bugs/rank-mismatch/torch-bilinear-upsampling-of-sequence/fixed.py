import torch
import torch.nn.functional as F

sequence = torch.randn(4, 16, 50)
longer = F.interpolate(sequence, scale_factor=2, mode="linear")
print(longer.shape)
