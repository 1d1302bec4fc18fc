import torch

angles, speeds = torch.zeros(8), torch.ones(8)
state = torch.stack((angles, speeds), 1)
print(state.shape)
