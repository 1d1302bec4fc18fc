import torch
from torch import nn

latent = 64
generator = nn.Sequential(
    nn.ConvTranspose2d(latent, 128, 4), nn.ReLU(),
    nn.ConvTranspose2d(128, 64, 4, stride=2, padding=1), nn.ReLU(),
    nn.ConvTranspose2d(64, 1, 4, stride=2, padding=1), nn.Tanh(),
)
discriminator = nn.Sequential(nn.Flatten(), nn.Linear(16 * 16, 128), nn.LeakyReLU(0.2), nn.Linear(128, 1))
noise = torch.randn(16, latent, 1, 1)
fake = generator(noise)
print(discriminator(fake).shape)
