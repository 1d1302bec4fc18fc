import copy

import torch
from torch import nn

student = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
teacher = copy.deepcopy(student)
with torch.no_grad():
    for p_t, p_s in zip(teacher.parameters(), student.parameters()):
        p_t.mul_(0.99).add_(p_s, alpha=0.01)
