import torch
from torch import nn
from torchvision.models import vgg16

net = vgg16(weights=None)
net.classifier[6] = nn.Linear(4096, 5)
print(net(torch.randn(1, 3, 224, 224)).shape)
