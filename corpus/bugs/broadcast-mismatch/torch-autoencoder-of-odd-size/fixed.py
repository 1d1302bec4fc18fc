import torch
from torch import nn

encoder = nn.Sequential(nn.Conv2d(1, 8, 3, stride=2, padding=1), nn.ReLU(), nn.Conv2d(8, 4, 3, stride=2, padding=1))
decoder = nn.Sequential(
    nn.ConvTranspose2d(4, 8, 3, stride=2, padding=1, output_padding=1),
    nn.ReLU(),
    nn.ConvTranspose2d(8, 1, 3, stride=2, padding=1, output_padding=1),
)
images = torch.rand(10, 1, 28, 28)
loss = nn.MSELoss()(decoder(encoder(images)), images)
print(loss)
