import torch


def positions(longest, width):
    table = torch.zeros(longest, width)
    steps = torch.arange(longest).float()[:, None]
    rates = torch.exp(-0.1 * torch.arange(0, width, 2).float())
    table[:, 0::2] = torch.sin(steps * rates)
    table[:, 1::2] = torch.cos(steps * rates)
    return table


print(positions(50, 25).shape)
