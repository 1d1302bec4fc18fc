import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 1))

    def forward(self, obs):
        return self.net(obs)


critic = Critic()
obs, rewards = torch.randn(16, 8), torch.randn(16)
values = critic(obs)
advantages = rewards - values.detach()
loss = nn.functional.mse_loss(values, rewards)
print(advantages.shape, loss.item())
