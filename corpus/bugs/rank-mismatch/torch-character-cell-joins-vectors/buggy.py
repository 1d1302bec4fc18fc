import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, letters, hidden, classes):
        super().__init__()
        self.to_hidden = nn.Linear(letters + hidden, hidden)
        self.to_output = nn.Linear(letters + hidden, classes)
        self.hidden = hidden

    def forward(self, letter, hidden):
        joined = torch.cat((letter, hidden), 1)
        return self.to_output(joined), torch.tanh(self.to_hidden(joined))


cell = Cell(57, 128, 18)
word = torch.zeros(6, 57)
hidden = torch.zeros(1, 128)
for letter in word:
    output, hidden = cell(letter, hidden)
print(output.shape)
