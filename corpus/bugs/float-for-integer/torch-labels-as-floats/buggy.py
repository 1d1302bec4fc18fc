import numpy as np
import torch
from torch import nn

table = np.zeros((50, 5), dtype=np.float32)
x, y = torch.tensor(table[:, :4]), torch.tensor(table[:, 4])
loss = nn.CrossEntropyLoss()(nn.Linear(4, 3)(x), y)
print(loss)
