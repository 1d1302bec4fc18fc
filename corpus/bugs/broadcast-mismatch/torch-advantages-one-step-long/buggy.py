import torch
from torch import nn
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, obs=6, act=3):
        super().__init__()
        self.pi, self.v = nn.Linear(obs, act), nn.Linear(obs, 1)

    def forward(self, x):
        return Categorical(logits=self.pi(x)), self.v(x).squeeze(-1)


def gae(rewards, values, gamma=0.99, lam=0.95):
    adv = torch.zeros_like(rewards)
    last = torch.zeros(rewards.shape[1])
    for t in reversed(range(rewards.shape[0])):
        delta = rewards[t] + gamma * values[t + 1] - values[t]
        last = delta + gamma * lam * last
        adv[t] = last
    return adv


net = ActorCritic()
T, N = 12, 5
obs = torch.randn(T + 1, N, 6)
dist, values = net(obs)
actions = dist.sample()
adv = gae(torch.randn(T, N), values.detach())
logp = dist.log_prob(actions)
loss = -(logp * adv).mean()
