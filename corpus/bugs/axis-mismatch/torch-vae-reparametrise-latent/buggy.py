import torch
from torch import nn


class VAE(nn.Module):
    def __init__(self, size=784, latent=20):
        super().__init__()
        self.enc = nn.Linear(size, 400)
        self.mean, self.logvar = nn.Linear(400, latent), nn.Linear(400, latent)
        self.dec = nn.Sequential(nn.Linear(latent * 2, 400), nn.ReLU(), nn.Linear(400, size), nn.Sigmoid())

    def forward(self, x):
        h = torch.relu(self.enc(x.view(-1, 784)))
        mean, logvar = self.mean(h), self.logvar(h)
        z = mean + torch.exp(0.5 * logvar) * torch.randn_like(logvar)
        return self.dec(z), mean, logvar


out, mean, logvar = VAE()(torch.rand(32, 1, 28, 28))
print(out.shape)
