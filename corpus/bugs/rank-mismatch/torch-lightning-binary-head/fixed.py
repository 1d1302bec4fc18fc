import torch
from torch import nn
import torch.nn.functional as F
import pytorch_lightning as pl
from torch.utils.data import DataLoader, TensorDataset


class Churn(pl.LightningModule):
    def __init__(self, features=14, hidden=32, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(features, hidden), nn.ReLU(), nn.Dropout(0.1), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        loss = F.binary_cross_entropy_with_logits(logits, y.unsqueeze(1))
        self.log("train_loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.hparams.lr)


data = TensorDataset(torch.randn(64, 14), torch.randint(0, 2, (64,)).float())
loader = DataLoader(data, batch_size=16)
trainer = pl.Trainer(
    max_epochs=1, logger=False, enable_checkpointing=False, enable_progress_bar=False, accelerator="cpu"
)
trainer.fit(Churn(), loader)
