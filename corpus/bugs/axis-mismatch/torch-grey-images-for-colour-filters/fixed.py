import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

images, labels = torch.rand(100, 1, 28, 28), torch.randint(0, 10, (100,))
loader = DataLoader(TensorDataset(images, labels), batch_size=20)
model = nn.Sequential(
    nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8 * 14 * 14, 10)
)
for batch, target in loader:
    loss = nn.functional.cross_entropy(model(batch), target)
    loss.backward()
