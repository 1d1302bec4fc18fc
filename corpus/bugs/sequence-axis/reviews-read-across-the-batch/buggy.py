import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Reviews(nn.Module):
    def __init__(self, words, width, units):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.read = nn.LSTM(width, units)
        self.score = nn.Linear(units, 2)

    def forward(self, text):
        states, _ = self.read(self.embed(text))
        return self.score(states[:, -1, :])


torch.manual_seed(0)
texts, moods = torch.randint(0, 200, (96, 12)), torch.randint(0, 2, (96,))
model, loss = Reviews(200, 16, 24), nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters())
for batch, mood in DataLoader(TensorDataset(texts, moods), batch_size=32, shuffle=True):
    optimizer.zero_grad()
    value = loss(model(batch), mood)
    value.backward()
    optimizer.step()
print(value.item())
