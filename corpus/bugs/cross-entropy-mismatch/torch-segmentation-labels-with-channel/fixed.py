import torch
from torch import nn

net = nn.Conv2d(3, 5, 3, padding=1)
images, masks = torch.randn(2, 3, 40, 40), torch.randint(0, 5, (2, 1, 40, 40))
loss = nn.CrossEntropyLoss()(net(images), masks.squeeze(1))
print(loss)
