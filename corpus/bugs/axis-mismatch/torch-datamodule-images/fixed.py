import torch
from torch import nn
import pytorch_lightning as pl
from torch.utils.data import DataLoader, TensorDataset


class Data(pl.LightningDataModule):
    def __init__(self, size=28, batch_size=8):
        super().__init__()
        self.size, self.batch_size = size, batch_size

    def setup(self, stage=None):
        self.train = TensorDataset(torch.randn(32, 1, self.size, self.size), torch.randint(0, 10, (32,)))

    def train_dataloader(self):
        return DataLoader(self.train, batch_size=self.batch_size)


class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2))
        self.fc = nn.Linear(8 * 13 * 13, 10)

    def training_step(self, batch, batch_idx):
        x, y = batch
        x = self.conv(x).flatten(1)
        return nn.functional.cross_entropy(self.fc(x), y)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.01)


trainer = pl.Trainer(
    max_epochs=1, logger=False, enable_checkpointing=False, enable_progress_bar=False, accelerator="cpu"
)
trainer.fit(Net(), datamodule=Data())
