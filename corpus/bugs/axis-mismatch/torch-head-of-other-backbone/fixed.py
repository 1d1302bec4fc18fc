import torch
from torch import nn
from torchvision import models

backbone = models.resnet18(weights=None)
backbone.fc = nn.Linear(backbone.fc.in_features, 7)
scores = backbone(torch.randn(2, 3, 64, 64))
print(scores.shape)
