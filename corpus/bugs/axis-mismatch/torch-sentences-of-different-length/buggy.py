import torch
from torch.utils.data import DataLoader, Dataset


class Sentences(Dataset):
    def __init__(self, lengths):
        self.lengths = lengths

    def __len__(self):
        return len(self.lengths)

    def __getitem__(self, index):
        words = torch.ones(self.lengths[index], dtype=torch.long)
        return words, index % 2


loader = DataLoader(Sentences([3, 7, 5, 11]), batch_size=2)
for words, label in loader:
    print(words.shape, label.shape)
