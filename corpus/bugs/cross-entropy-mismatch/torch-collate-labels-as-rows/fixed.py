import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Points(Dataset):
    def __len__(self):
        return 32

    def __getitem__(self, index):
        return torch.randn(6), torch.tensor(index % 3)


def collate(samples):
    points, labels = zip(*samples)
    return torch.stack(points), torch.stack(labels)


net = nn.Linear(6, 3)
loss = nn.CrossEntropyLoss()
for points, labels in DataLoader(Points(), batch_size=8, collate_fn=collate):
    print(loss(net(points), labels).item())
