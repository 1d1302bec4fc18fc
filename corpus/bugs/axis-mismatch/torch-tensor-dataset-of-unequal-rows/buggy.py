import torch
from torch.utils.data import TensorDataset

series = torch.arange(120.0)
window = 12
x = series.unfold(0, window, 1)
y = series[window:]
data = TensorDataset(x, y)
print(len(data))
