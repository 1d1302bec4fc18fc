import torch
from torch import nn


def make(classes):
    return nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, classes))


trained = make(5)
model = make(10)
model.load_state_dict(trained.state_dict())
print(model(torch.randn(1, 16)))
