import torch
import torch.nn.functional as F
from torch import nn


def stages(widths):
    pairs = zip((3, *widths), widths)
    return nn.ModuleList(nn.Sequential(nn.Conv2d(i, o, 3, 2, 1), nn.ReLU()) for i, o in pairs)


def features(net, x):
    kept = []
    for stage in net:
        x = stage(x)
        kept.append(x)
    return kept


teacher, student = stages((16, 32, 64)), stages((8, 16, 32))
adapters = nn.ModuleList(nn.Conv2d(i, o, 1) for i, o in zip((8, 16, 32), (16, 32, 64)))
x = torch.randn(2, 3, 32, 32)
wanted = features(teacher, x)
loss = 0
for i, got in enumerate(features(student, x)):
    loss = loss + F.mse_loss(adapters[i](got), wanted[i])
print(loss.item())
