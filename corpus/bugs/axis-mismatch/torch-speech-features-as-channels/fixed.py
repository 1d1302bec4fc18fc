import torch
from torch import nn


class Speech(nn.Module):
    def __init__(self, mels=40, classes=6):
        super().__init__()
        self.conv = nn.Conv1d(mels, 32, 5, padding=2)
        self.rnn = nn.GRU(32, 24, batch_first=True)
        self.fc = nn.Linear(24, classes)

    def forward(self, frames):
        x = torch.relu(self.conv(frames.transpose(1, 2)))
        _, h = self.rnn(x.transpose(1, 2))
        return self.fc(h[-1])


print(Speech()(torch.randn(3, 100, 40)).shape)
