import torch
from torch import nn


class Speech(nn.Module):
    def __init__(self, mels=40, classes=28):
        super().__init__()
        self.conv = nn.Conv1d(mels, 32, 3, stride=2, padding=1)
        self.rnn = nn.LSTM(32, 24, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(48, classes)

    def forward(self, x):
        x = torch.relu(self.conv(x)).transpose(1, 2)
        x, _ = self.rnn(x)
        return self.fc(x).log_softmax(-1)


model, ctc = Speech(), nn.CTCLoss(blank=0)
log_probs = model(torch.randn(4, 40, 100))
targets = torch.randint(1, 28, (4, 12))
input_lengths = torch.full((4,), log_probs.size(1), dtype=torch.long)
target_lengths = torch.full((4,), 12, dtype=torch.long)
loss = ctc(log_probs, targets, input_lengths, target_lengths)
