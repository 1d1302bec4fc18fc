"""The pack of PyTorch: expressions with what is known of them, checked, and computed where PyTorch is installed.

`python -m tests.support.environments packs` makes the environment for that.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import shapecheck
from tests.support.environments import PYTORCH
from tests.support.expressions import FAILS, SILENT, checked, wrong

SETUP = """
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torchvision.models import resnet18, vgg11
from torchvision.transforms import CenterCrop, Compose, Grayscale, Resize, ToPILImage, ToTensor
from shapecheck import reveal_shape as show

x = torch.ones(3, 4)
row = torch.arange(4.0)
image = torch.zeros(2, 3, 16, 16)
param = torch.ones(3, 4, requires_grad=True)
unknown = torch.ones(int(np.random.randint(5, 6)))
query, key = torch.zeros(2, 5, 8), torch.zeros(2, 7, 8)
steps = nn.Transformer.generate_square_subsequent_mask
scores, labels = torch.zeros(9, 2, 6).log_softmax(-1), torch.ones(2, 3, dtype=torch.long)
picture, resnet = torch.zeros(2, 3, 75, 90), resnet18(weights=None)
doubled = nn.Sequential()
doubled.scale = nn.UpsamplingNearest2d(scale_factor=2)
doubled.conv = nn.Conv2d(3, 4, 1)
doubled.conv = nn.Conv2d(3, 6, 1)
renamed = nn.Sequential()
for _ in range(2):
    renamed.add_module("first", nn.Linear(5, 3))
    renamed.add_module("first", nn.Linear(4, 7))


class Ragged(torch.utils.data.Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, index):
        return torch.zeros(2 + index)


padded, kept = nn.Conv2d(3, 6, 1), torch.zeros(2, 3)
padded.weight.data = F.pad(padded.weight.data, (1, 1, 1, 1))
alias = kept
kept.data = torch.zeros(4, 5)


class Watched(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.seen = nn.Linear(4, 5), None
        self.handle = self.inner.register_forward_hook(self.keep)

    def keep(self, module, inputs, output):
        self.seen = output

    def forward(self, inputs):
        return self.inner(inputs).sum(), self.seen


def first_of(data):
    return next(iter(torch.utils.data.DataLoader(data, batch_size=2)))


class Weight(torch.Tensor):
    pass


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, inputs):
        return 2 * inputs

    @staticmethod
    def backward(ctx, gradient):
        return 2 * gradient


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, inputs, weights):
        ctx.save_for_backward(inputs, weights)
        return inputs @ weights.t()

    @staticmethod
    def backward(ctx, gradient):
        inputs, weights = ctx.saved_tensors
        return gradient @ weights, gradient.t() @ inputs


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Linear(4, width)
        self.second = nn.Linear(width, 2)

    def forward(self, inputs):
        return self.second(torch.relu(self.first(inputs)))


class Blocks(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        self.head = nn.ModuleDict({"out": nn.Linear(4, 1)})

    def forward(self, inputs):
        for layer in self.layers:
            inputs = inputs + F.relu(layer(inputs))
        return self.head["out"](inputs)


class ConvBlock(nn.Sequential):
    def __init__(self, inside, out):
        super().__init__(nn.Conv2d(inside, out, 3, padding=1), nn.BatchNorm2d(out), nn.ReLU(inplace=True))


class Pooled(nn.Module):
    def __init__(self, has_pool):
        super().__init__()
        if has_pool:
            self.pool = nn.AvgPool2d(2)

    def forward(self, inputs):
        return self.pool(inputs) if hasattr(self, "pool") else inputs.sum(0)


class Standardised(nn.Conv2d):
    def forward(self, inputs):
        kernel = self.weight - self.weight.mean(dim=(1, 2, 3), keepdim=True)
        return F.conv2d(inputs, kernel, self.bias, self.stride, self.padding, self.dilation, self.groups)


class Scaled(nn.Linear):
    def __init__(self, width):
        super().__init__(4, width, bias=False)
        self.scale = 2.0

    def forward(self, inputs):
        return super().forward(inputs) * self.scale


class Averaged(nn.SmoothL1Loss):
    def __init__(self):
        super().__init__(reduction="none")

    def forward(self, inputs, targets):
        return super().forward(inputs, targets).mean()


class Residual(nn.Sequential):
    def forward(self, inputs):
        return inputs + super().forward(inputs)


class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict(dict(first=nn.Linear(4, 6), others=nn.ModuleList([nn.Linear(6, 6), nn.ReLU()])))

    def forward(self, inputs):
        inputs = self.parts.first(inputs)
        for i, part in enumerate(self.parts.others):
            inputs = part(inputs)
        return self.parts.others[0](inputs)


packed = nn.utils.rnn.pack_padded_sequence(query, torch.tensor([5, 3]), batch_first=True)
outputs, (last, _) = nn.LSTM(8, 6)(packed)
pair = nn.Sequential(nn.Linear(4, 6), nn.Linear(6, 2))
attend = nn.MultiheadAttention(8, 2, batch_first=True)
net, blocks, stack = Net(8), Blocks(), nn.Sequential(ConvBlock(3, 8), nn.MaxPool2d(2), ConvBlock(8, 16))
"""
CASES = {
    # functions that are called again, matrices and parts
    "torch.utils.checkpoint.checkpoint(torch.matmul, x, x.T, use_reentrant=False)": "(3, 3) float32",
    "torch.utils.checkpoint.checkpoint(torch.matmul, x, x, use_reentrant=False)": FAILS,
    "torch.amp.GradScaler('cpu').scale(x.sum())": "() float32",
    "torch.linalg.svd(x, full_matrices=False).Vh.float()": "(3, 4) float32",
    "torch.linalg.svd(x).Vh.float()": "(4, 4) float32",
    "torch.linalg.solve_triangular(torch.eye(3), x, upper=True)": "(3, 4) float32",
    "torch.linalg.solve_triangular(torch.eye(4), x, upper=True)": FAILS,
    "torch.linalg.lstsq(torch.rand(5, 3), torch.rand(5, 2)).solution.float()": "(3, 2) float32",
    "torch.tensor_split(x, 3, 1)[0]": "(3, 2) float32",
    "torch.cartesian_prod(row, torch.arange(3.0))": "(12, 2) float32",
    "torch.atleast_2d(row)": "(1, 4) float32",
    "torch.addmv(torch.zeros(3), x, row).float()": "(3,) float32",
    "torch.addmv(torch.zeros(2), x, row)": FAILS,
    "torch.take_along_dim(x, x.argsort(1)[:, :2], 1)": "(3, 2) float32",
    "nn.LazyConv2d(8, 3)(image)": "(2, 8, 14, 14) float32",
    "nn.LazyLinear(5)(x)": "(3, 5) float32",
    "nn.LPPool2d(2, 2)(image)": "(2, 3, 8, 8) float32",
    "nn.MaxUnpool2d(2)(*nn.MaxPool2d(2, return_indices=True)(image))": SILENT,
    "nn.SoftMarginLoss()(x, torch.ones(4)).float()": "() float32",
    "nn.SoftMarginLoss()(row, x)": FAILS,
    "nn.CosineEmbeddingLoss()(x, x, torch.ones(3)).float()": "() float32",
    "nn.CosineEmbeddingLoss()(x, x, x)": FAILS,
    "F.interpolate(image, scale_factor=0.01)": FAILS,
    "torch.flip(torch.tensor(3.0), [0])": "() float32",
    "torch.zeros(2, 3)": "(2, 3) float32",
    "torch.zeros((2, 3), dtype=torch.long)": "(2, 3) int64",
    "torch.ones(3, dtype=torch.float64)": "(3,) float64",
    "torch.full((3,), 1, dtype=torch.float32)": "(3,) float32",
    "nn.utils.rnn.pack_padded_sequence(torch.zeros(7, 3, 5), [7, 5, 2]).data": "(14, 5) float32",
    "nn.utils.rnn.pack_padded_sequence(torch.zeros(7, 3, 5), [7, 5, 2], batch_first=True)": FAILS,
    "next(iter(torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x), batch_size=4.0)))[0]": FAILS,
    "next(iter(torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x))))[0].sum(0)": "(4,) float32",
    "torch.full((3,), 1)": "(3,) int64",
    "row.new_ones(2, dtype=torch.int64)": "(2,) int64",
    "row.new_full((2,), 1.5, dtype=torch.int32)": "(2,) int32",
    "torch.arange(5)": "(5,) int64",
    "torch.arange(0, 1, 0.25)": "(4,) float32",
    "torch.tensor([[1, 2, 3]])": "(1, 3) int64",
    "torch.tensor([1.0, 2.0])": "(2,) float32",
    "torch.from_numpy(np.zeros((2, 2)))": "(2, 2) float64",
    "np.transpose(torch.ones(2, 3, 4), (1, 2, 0)).numpy()": "(3, 4, 2) float32",
    "np.sqrt(x).view(12)": "(12,) float32",
    "nn.KLDivLoss(size_average=False, reduce=False)(x, x).sum(1)": "(3,) float32",
    "nn.KLDivLoss(size_average=False)(x, x).sum(1)": FAILS,
    "torch.FloatTensor(2, 3)": "(2, 3) float32",
    "torch.LongTensor([1, 2])": "(2,) int64",
    "torch.randint(0, 10, (4,))": "(4,) int64",
    "torch.linspace(0, 1, 7)": "(7,) float32",
    "torch.eye(3)": "(3, 3) float32",
    "torch.full((2, 2), 0.5)": "(2, 2) float32",
    "torch.zeros_like(x, dtype=torch.int64)": "(3, 4) int64",
    "x.new_zeros(5)": "(5,) float32",
    "torch.arange(3) + 1.5": "(3,) float32",
    "torch.arange(3) / 2": "(3,) float32",
    "torch.arange(3) // 2": "(3,) int64",
    "torch.ones(3, dtype=torch.float16) * torch.ones(1, dtype=torch.float64)": "(3,) float64",
    "torch.ones(3, dtype=torch.float16) * torch.tensor(2.0, dtype=torch.float64)": "(3,) float16",
    "x > 0": "(3, 4) bool",
    "x + row": "(3, 4) float32",
    "x + torch.ones(3)": FAILS,
    "x @ x.t()": "(3, 3) float32",
    "x @ row": "(3,) float32",
    "x @ x": FAILS,
    "x.T": "(4, 3) float32",
    "x.sum()": "() float32",
    "x.sum(0)": "(4,) float32",
    "x.sum(dim=1, keepdim=True)": "(3, 1) float32",
    "x.sum((0, 1))": "() float32",
    "x.mean(-1)": "(3,) float32",
    "x.mean(2)": FAILS,
    "x.max()": "() float32",
    "x.max(1)[0]": "(3,) float32",
    "x.max(dim=1)[1]": "(3,) int64",
    "torch.max(x, row)": "(3, 4) float32",
    "torch.max(input=x, other=torch.tensor(0.0))": "(3, 4) float32",
    "x.argmax(1)": "(3,) int64",
    "x.argmax()": "() int64",
    "x.std(dim=0)": "(4,) float32",
    "x.norm(dim=1)": "(3,) float32",
    "x.topk(2)[0]": "(3, 2) float32",
    "x.topk(5)[0]": FAILS,
    "x.sort(dim=1)[1]": "(3, 4) int64",
    "x.cumsum(0)": "(3, 4) float32",
    "x.softmax(dim=1)": "(3, 4) float32",
    "x.view(2, 6)": "(2, 6) float32",
    "x.view(-1)": "(12,) float32",
    "x.view(4, -1)": "(4, 3) float32",
    "x.view(5, -1)": FAILS,
    "x.reshape(12)": "(12,) float32",
    "x.view(x.size(0), -1, 2)": "(3, 2, 2) float32",
    "x.unsqueeze(1)": "(3, 1, 4) float32",
    "x.unsqueeze(0).squeeze(0)": "(3, 4) float32",
    "x[None]": "(1, 3, 4) float32",
    "x[:, 1]": "(3,) float32",
    "x[1]": "(4,) float32",
    "x[5]": FAILS,
    "x[..., 0]": "(3,) float32",
    "x[:, 1:3]": "(3, 2) float32",
    "x[x > 0].dim()": SILENT,
    "x[torch.tensor([0, 2])]": "(2, 4) float32",
    "x.permute(1, 0)": "(4, 3) float32",
    "x.permute(1, 0, 2)": FAILS,
    "x.transpose(0, 1).contiguous().view(-1)": "(12,) float32",
    "x.transpose(1, 2)": FAILS,
    "torch.einsum('nk,ck->nc', x, Weight(x).reshape(3, -1)).dim()": SILENT,
    "[turned := x.clone(), turned.t_(), turned][2]": "(4, 3) float32",
    "[turned := x.clone(), turned.unsqueeze_(0).squeeze_(0).resize_(2, 6), turned][2] @ torch.ones(6)": "(2,) float32",
    "x.expand(2, 3, 4)": "(2, 3, 4) float32",
    "x.expand(3, 5)": FAILS,
    "torch.ones(3, 1).expand(-1, 4)": "(3, 4) float32",
    "x.repeat(2, 1)": "(6, 4) float32",
    "x.repeat(2)": FAILS,
    "x.flatten()": "(12,) float32",
    "torch.flatten(torch.zeros(2, 3, 4), 1)": "(2, 12) float32",
    "x.chunk(2, dim=1)[0]": "(3, 2) float32",
    "x.split(3, dim=1)[1]": "(3, 1) float32",
    "x.split([1, 3], dim=1)[1]": "(3, 3) float32",
    "x.unbind(0)[0]": "(4,) float32",
    "torch.cat([x, x])": "(6, 4) float32",
    "torch.cat([x, x], dim=1)": "(3, 8) float32",
    "torch.cat([x, x.t()])": FAILS,
    "torch.cat((x, x), -1)": "(3, 8) float32",
    "torch.stack([x, x], dim=1)": "(3, 2, 4) float32",
    "torch.stack([x, x.t()])": FAILS,
    "x.gather(1, torch.zeros(3, 2, dtype=torch.long))": "(3, 2) float32",
    "x.gather(1, torch.zeros(3, dtype=torch.long))": FAILS,
    "x.index_select(1, torch.tensor([0, 1]))": "(3, 2) float32",
    "torch.where(x > 0, x, torch.zeros(4))": "(3, 4) float32",
    "x.masked_fill(x > 0, 0)": "(3, 4) float32",
    "x.clamp(min=0)": "(3, 4) float32",
    "x.float().long()": "(3, 4) int64",
    "x.to(torch.float64)": "(3, 4) float64",
    'x.to("cpu")': "(3, 4) float32",
    "x.numpy()": "(3, 4) float32",
    "x.detach().cpu().numpy()": "(3, 4) float32",
    "x.size()": SILENT,
    "x.size(1)": SILENT,
    "x.shape[0]": SILENT,
    'torch.einsum("ij,kj->ik", x, x)': "(3, 3) float32",
    'torch.einsum("bij,bjk->bik", x, x)': FAILS,
    "torch.bmm(torch.zeros(2, 3, 4), torch.zeros(2, 4, 5))": "(2, 3, 5) float32",
    "torch.bmm(x, x)": FAILS,
    "torch.matmul(torch.zeros(2, 3, 4), torch.zeros(4, 5))": "(2, 3, 5) float32",
    "torch.mm(x, torch.zeros(2, 3, 4))": FAILS,
    "torch.outer(row, row)": "(4, 4) float32",
    "torch.dot(row, torch.zeros(3))": FAILS,
    "torch.cdist(x, torch.zeros(5, 4))": "(3, 5) float32",
    "torch.tril(torch.ones(4, 4)).view(1, 1, 4, 4)": "(1, 1, 4, 4) float32",
    "nn.Linear(4, 5)(x)": "(3, 5) float32",
    "nn.Linear(3, 5)(x)": FAILS,
    "nn.Linear(4, 5)(torch.zeros(2, 3, 4))": "(2, 3, 5) float32",
    "nn.Conv2d(3, 8, 3)(image)": "(2, 8, 14, 14) float32",
    "nn.Conv2d(3, 8, 3, padding=1)(image)": "(2, 8, 16, 16) float32",
    "nn.Conv2d(3, 8, 3, stride=2, padding=1)(image)": "(2, 8, 8, 8) float32",
    "nn.Conv2d(3, 8, (3, 5), dilation=(2, 1))(image)": "(2, 8, 12, 12) float32",
    'nn.Conv2d(3, 8, 3, padding="same")(image)': "(2, 8, 16, 16) float32",
    "nn.Conv2d(1, 8, 3)(image)": FAILS,
    "nn.Conv2d(3, 8, 3)(torch.zeros(3, 16, 16))": "(8, 14, 14) float32",
    "nn.Conv2d(3, 8, 3)(x)": FAILS,
    "nn.Conv2d(3, 8, 40)(image)": FAILS,
    "nn.Conv2d(3, 6, 3, groups=3)(image)": "(2, 6, 14, 14) float32",
    "nn.Conv1d(3, 8, 5)(torch.zeros(2, 3, 20))": "(2, 8, 16) float32",
    "nn.Conv3d(1, 2, 3)(torch.zeros(2, 1, 8, 8, 8))": "(2, 2, 6, 6, 6) float32",
    "nn.ConvTranspose2d(3, 8, 4, stride=2, padding=1)(image)": "(2, 8, 32, 32) float32",
    "nn.ConvTranspose2d(3, 8, 2, stride=2)(image)": "(2, 8, 32, 32) float32",
    "nn.ConvTranspose2d(3, 8, 3, 2, 1, 1)(image)": "(2, 8, 32, 32) float32",
    "nn.MaxPool2d(2)(image)": "(2, 3, 8, 8) float32",
    "nn.MaxPool2d(3, stride=2, padding=1)(image)": "(2, 3, 8, 8) float32",
    "nn.MaxPool2d(3, 2, ceil_mode=True)(torch.zeros(1, 3, 14, 14))": "(1, 3, 7, 7) float32",
    "nn.AvgPool2d(2)(image)": "(2, 3, 8, 8) float32",
    "nn.AdaptiveAvgPool2d(1)(image)": "(2, 3, 1, 1) float32",
    "nn.AdaptiveAvgPool2d((7, None))(image)": "(2, 3, 7, 16) float32",
    "F.adaptive_avg_pool2d(image, (1, 1)).view(2, -1)": "(2, 3) float32",
    "F.max_pool2d(image, 2)": "(2, 3, 8, 8) float32",
    "F.max_pool2d(torch.zeros(2, 5, 6, 1), [3, 2], ceil_mode=True)": "(2, 5, 2, 1) float32",
    "F.max_pool2d(torch.zeros(2, 5, 6, 1), [3, 2])": FAILS,
    "F.max_pool2d(torch.zeros(2, 5, 6, 1), [3, 3], 1, ceil_mode=True)": FAILS,
    "F.avg_pool2d(image, 2, padding=2)": FAILS,
    "nn.MaxPool2d(3, padding=2)(image)": FAILS,
    "nn.MaxPool2d(3, padding=2, dilation=2)(image)": FAILS,
    "nn.ConvTranspose2d(3, 4, 3, output_padding=1)(image)": FAILS,
    "nn.ConvTranspose2d(3, 4, 3, stride=2, output_padding=1)(image)": "(2, 4, 34, 34) float32",
    "F.conv_transpose2d(torch.zeros(1, 2, 1, 1), torch.zeros(2, 3, 2, 2), padding=1)": FAILS,
    "F.pad(image, (15, 0, 0, 15), mode='reflect')": "(2, 3, 31, 31) float32",
    "F.pad(image, (16, 0, 0, 0), mode='reflect')": FAILS,
    "F.pad(image, (16, 0, 0, 0), mode='circular')": "(2, 3, 16, 32) float32",
    "F.pad(image, (17, 0, 0, 0), mode='circular')": FAILS,
    "F.pad(image, (1, 1), mode='replicate')": FAILS,
    "nn.ReflectionPad2d(16)(image)": FAILS,
    "nn.CircularPad2d(16)(image)": "(2, 3, 48, 48) float32",
    "F.fold(torch.zeros(2, 5, 4), (5, 6), 2, stride=3)": FAILS,
    "F.triplet_margin_loss(torch.zeros(4, 1), torch.zeros(4, 3), torch.zeros(4, 5))": "() float32",
    "F.triplet_margin_loss(torch.zeros(4, 2), torch.zeros(4, 3), torch.zeros(4, 2))": FAILS,
    "torch.quantile(x, torch.tensor([0.1, 0.5]), dim=1, keepdim=True)": "(2, 3, 1) float32",
    "x.nanquantile(torch.tensor([0.1, 0.5]))": "(2,) float32",
    "torch.quantile(x, x)": FAILS,
    "torch.zeros(()).transpose(0, 1)": FAILS,
    "renamed(torch.zeros(2, 4))": "(2, 7) float32",
    "torch.cat([padded.weight.data, torch.zeros(6, 3, 3, 3)])": "(12, 3, 3, 3) float32",
    "alias @ torch.ones(5, 2)": "(4, 2) float32",
    "F.leaky_relu(x, 0.2, inplace=False)": "(3, 4) float32",
    "F.interpolate(image, scale_factor=2, mode='bilinear', align_corners=True)": "(2, 3, 32, 32) float32",
    "F.avg_pool2d(image, 4)": "(2, 3, 4, 4) float32",
    "F.conv2d(image, torch.zeros(4, 3, 3, 3))": "(2, 4, 14, 14) float32",
    "F.conv2d(image, torch.zeros(4, 2, 3, 3))": FAILS,
    "F.pad(x, (1, 1))": "(3, 6) float32",
    "F.pad(image, (1, 1, 2, 2))": "(2, 3, 20, 18) float32",
    "F.interpolate(image, scale_factor=2)": "(2, 3, 32, 32) float32",
    "F.interpolate(image, size=(10, 12))": "(2, 3, 10, 12) float32",
    "F.one_hot(torch.tensor([0, 2]), 5)": "(2, 5) int64",
    "F.softmax(x, dim=1)": "(3, 4) float32",
    "F.linear(x, torch.zeros(5, 4))": "(3, 5) float32",
    "F.normalize(x, dim=1)": "(3, 4) float32",
    "F.embedding(torch.tensor([[0, 1]]), torch.zeros(10, 6))": "(1, 2, 6) float32",
    "nn.BatchNorm2d(3)(image)": "(2, 3, 16, 16) float32",
    "nn.BatchNorm2d(4)(image)": FAILS,
    "nn.BatchNorm1d(4)(x)": "(3, 4) float32",
    "nn.BatchNorm2d(4)(x)": FAILS,
    "nn.LayerNorm(4)(x)": "(3, 4) float32",
    "nn.LayerNorm(5)(x)": FAILS,
    "nn.LayerNorm([3, 16, 16])(image)": "(2, 3, 16, 16) float32",
    "nn.GroupNorm(3, 3)(image)": "(2, 3, 16, 16) float32",
    "nn.Dropout(0.5)(x)": "(3, 4) float32",
    "nn.Flatten()(image)": "(2, 768) float32",
    "nn.Embedding(10, 6)(torch.zeros(2, 5, dtype=torch.long))": "(2, 5, 6) float32",
    "nn.PixelShuffle(2)(torch.zeros(1, 8, 4, 4))": "(1, 2, 8, 8) float32",
    "nn.Upsample(scale_factor=2)(image)": "(2, 3, 32, 32) float32",
    "nn.LSTM(4, 6)(torch.zeros(5, 2, 4))[0]": "(5, 2, 6) float32",
    "nn.LSTM(4, 6, batch_first=True, bidirectional=True)(torch.zeros(2, 5, 4))[0]": "(2, 5, 12) float32",
    "nn.LSTM(4, 6, 2)(torch.zeros(5, 2, 4))[1][0]": "(2, 2, 6) float32",
    "nn.GRU(4, 6, 2)(torch.zeros(5, 2, 4))[1]": "(2, 2, 6) float32",
    "nn.LSTM(3, 6)(torch.zeros(5, 2, 4))[0]": FAILS,
    "nn.LSTM(4, 6)(torch.zeros(5, 2, 4), (torch.zeros(1, 2, 6), torch.zeros(1, 2, 6)))[0]": "(5, 2, 6) float32",
    "nn.LSTM(4, 6)(torch.zeros(5, 2, 4), (torch.zeros(2, 2, 6), torch.zeros(2, 2, 6)))[0]": FAILS,
    "nn.LSTMCell(4, 6)(torch.zeros(2, 4))[0]": "(2, 6) float32",
    "nn.MultiheadAttention(8, 2, batch_first=True)(query, key, key)[0]": "(2, 5, 8) float32",
    "nn.MultiheadAttention(8, 2)(query, query, query)[1]": "(5, 2, 2) float32",
    "nn.TransformerEncoderLayer(8, 2)(torch.zeros(5, 2, 8))": "(5, 2, 8) float32",
    "F.scaled_dot_product_attention(query, key, key)": "(2, 5, 8) float32",
    "nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))(x)": "(3, 2) float32",
    "nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(9, 2))(x)": FAILS,
    "nn.CrossEntropyLoss()(x, torch.zeros(3, dtype=torch.long))": "() float32",
    "nn.CrossEntropyLoss()(x, torch.zeros(4, dtype=torch.long))": FAILS,
    "nn.CrossEntropyLoss()(x, torch.zeros(3, 1, dtype=torch.long))": FAILS,
    "nn.CrossEntropyLoss()(x, torch.zeros(3, 4))": "() float32",
    "nn.CrossEntropyLoss()(x, torch.zeros(3))": FAILS,
    "F.cross_entropy(image, torch.zeros(2, 16, 16, dtype=torch.long))": "() float32",
    "F.cross_entropy(image, torch.zeros(2, 1, 16, 16, dtype=torch.long))": FAILS,
    'F.cross_entropy(x, torch.zeros(3, dtype=torch.long), reduction="none")': "(3,) float32",
    "F.nll_loss(F.log_softmax(x, 1), torch.zeros(3, dtype=torch.long))": "() float32",
    "F.mse_loss(x, torch.zeros(3, 4))": "() float32",
    "F.mse_loss(x, torch.zeros(3))": FAILS,
    "nn.BCELoss()(torch.sigmoid(x), torch.zeros(3, 4))": "() float32",
    "nn.BCELoss()(torch.sigmoid(x), torch.zeros(4))": FAILS,
    "nn.BCEWithLogitsLoss()(x, torch.zeros(3, 4))": "() float32",
    "nn.BCEWithLogitsLoss()(x[:, 0], torch.zeros(3, 1))": FAILS,
    # arguments as NumPy names them, older arguments, fields of results
    "x.mean(axis=0)": "(4,) float32",
    "torch.sum(x, axis=1, keepdims=True)": "(3, 1) float32",
    "torch.cat([x, x], axis=1)": "(3, 8) float32",
    "F.cross_entropy(x, torch.zeros(3, dtype=torch.long), reduce=False)": "(3,) float32",
    "x.max(1).values": "(3,) float32",
    "x.sort(dim=1).indices": "(3, 4) int64",
    "F.relu(x.max(1))": FAILS,
    "nn.Linear(4, 2)(nn.LSTM(4, 4)(torch.zeros(5, 2, 4)))": FAILS,
    "[x, x][torch.tensor([[1]])]": "(3, 4) float32",
    "-x + ~(x > 0)": "(3, 4) float32",
    # dtypes of weights and labels
    "nn.Linear(3, 2)(torch.from_numpy(np.zeros((2, 3))))": FAILS,
    "nn.Linear(4, 2)(torch.arange(4))": FAILS,
    "nn.Embedding(5, 2)(x)": FAILS,
    "nn.BCELoss()(torch.sigmoid(x), torch.ones(3, 4, dtype=torch.long))": FAILS,
    "nn.CrossEntropyLoss(weight=torch.ones(3))(x, torch.zeros(3, dtype=torch.long))": FAILS,
    # what a module cannot be made with
    "nn.Conv2d(6, 8, 3, groups=4)": FAILS,
    "nn.GroupNorm(4, 6)": FAILS,
    "nn.MultiheadAttention(10, 4)": FAILS,
    # attention and its masks
    "attend(query, key, key, attn_mask=torch.zeros(5, 7))[0]": "(2, 5, 8) float32",
    "attend(query, key, key, attn_mask=torch.zeros(2, 7))[0]": FAILS,
    "attend(query, key, key, torch.zeros(2, 7) > 0)[0]": "(2, 5, 8) float32",
    "nn.MultiheadAttention(8, 2, kdim=6)(query, query[..., :6], query)[0]": "(2, 5, 8) float32",
    "nn.MultiheadAttention(8, 2)(query, query[..., :6], query)[0]": FAILS,
    "nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2), 2)(torch.zeros(5, 2, 6))": FAILS,
    'F.interpolate(image, scale_factor=2, mode="bilinear")': "(2, 3, 32, 32) float32",
    'F.interpolate(image[0], scale_factor=2, mode="bilinear")': FAILS,
    "nn.Transformer(8, 2, 1, 1, 16, batch_first=True)(query, key, tgt_mask=steps(7))": "(2, 7, 8) float32",
    "nn.Transformer(8, 2, 1, 1, 16, batch_first=True)(query, key, tgt_mask=steps(5))": FAILS,
    "nn.Transformer(8, 2, 1, 1, 16, batch_first=True)(query, key[:1])": FAILS,
    "nn.TransformerEncoderLayer(8, 2, batch_first=True)(query, steps(5))": "(2, 5, 8) float32",
    "nn.TransformerEncoderLayer(8, 2, batch_first=True)(query, src_key_padding_mask=torch.zeros(5, 2))": FAILS,
    "nn.TransformerDecoderLayer(8, 2)(query, key)": FAILS,
    # views of tensors whose axes were moved
    "torch.zeros(2, 3, 4, 5).transpose(1, 2).view(2, 4, 15)": FAILS,
    "torch.zeros(2, 3, 4, 5).transpose(1, 2).view(2, 4, 3, 5, 1)": "(2, 4, 3, 5, 1) float32",
    "torch.zeros(2, 1, 4, 5).transpose(1, 2).view(2, 20)": "(2, 20) float32",
    "torch.zeros(2, 3, 4).permute(2, 0, 1).view(4, 6)": "(4, 6) float32",
    "torch.zeros(3, 4).t().view(-1)": FAILS,
    "(query @ key.transpose(1, 2)).transpose(1, 2).contiguous().view(2, -1)": "(2, 35) float32",
    # parts that are added, sequences that are aligned, images of a batch
    "torch.zeros(5, 3).index_add(0, torch.tensor([1, 2]), torch.zeros(2, 3))": "(5, 3) float32",
    "torch.zeros(5, 3).index_add(0, torch.tensor([1, 2]), torch.zeros(3, 3))": FAILS,
    "torch.zeros(5, 3).index_add(0, torch.tensor([1, 2]), torch.zeros(2, 4))": FAILS,
    "F.ctc_loss(scores, labels, torch.tensor([9, 9]), torch.tensor([3, 3]))": "() float32",
    "F.ctc_loss(scores.transpose(0, 1), labels, torch.tensor([9, 9]), torch.tensor([3, 3]))": FAILS,
    "CenterCrop((8, 6))(image)": "(2, 3, 8, 6) float32",
    "doubled(image)": "(2, 6, 32, 32) float32",
    "torch.zeros(4, 2)[torch.zeros(0, 4) > 0] if (torch.zeros(0, 4) > 0).any() else x": "(3, 4) float32",
    # parts of networks
    "nn.Sequential(*list(resnet.children())[:-1])(picture)": "(2, 512, 1, 1) float32",
    "nn.Linear(512, 3)(nn.Sequential(*list(resnet.children())[:-1])(picture))": FAILS,
    "resnet.layer2(resnet.layer1(resnet.maxpool(resnet.bn1(resnet.conv1(picture)))))": "(2, 128, 10, 12) float32",
    "vgg11(weights=None).features(picture)": "(2, 512, 2, 2) float32",
    "vgg11(weights=None).features(picture[:, :1])": FAILS,
    # compiled modules and functions
    "torch.jit.script(nn.Linear(4, 5))(x)": "(3, 5) float32",
    "torch.jit.trace(nn.Linear(4, 5), x)(x.T)": FAILS,
    "torch.compile(backend='eager')(lambda a: a @ a.T)(x)": "(3, 3) float32",
    # distributions
    "torch.distributions.Categorical(logits=x).sample()": "(3,) int64",
    "torch.distributions.Normal(x, 1.0).log_prob(row)": "(3, 4) float32",
    "torch.distributions.Independent(torch.distributions.Normal(x, 1.0), 1).log_prob(x)": "(3,) float32",
    "torch.distributions.Normal(x, 1.0).rsample((2,))": "(2, 3, 4) float32",
    # weights of other modules
    "Net(9).load_state_dict(net.state_dict())": FAILS,
    "net(x)": "(3, 2) float32",
    "net(torch.zeros(3, 5))": FAILS,
    "blocks(x)": "(3, 1) float32",
    "stack(image)": "(2, 16, 8, 8) float32",
    "Pooled(False)(row[None])": SILENT,
    "Pooled(True)(image)": "(2, 3, 8, 8) float32",
    # classes that derive from modules, containers, and the attributes of modules
    "Standardised(3, 8, 3, padding=1)(image)": "(2, 8, 16, 16) float32",
    "Standardised(4, 8, 3, padding=1)(image)": FAILS,
    "Scaled(5)(x)": "(3, 5) float32",
    "Scaled(5).weight": "(5, 4) float32",
    "Residual(nn.Linear(4, 4), nn.ReLU())(x)": "(3, 4) float32",
    "Residual(nn.Linear(4, 5), nn.ReLU())(x)": FAILS,
    "Named()(x)": "(3, 6) float32",
    "Named()(x[:, 1:])": FAILS,
    "nn.Sequential(*list(pair)[:1])(x)": "(3, 6) float32",
    "pair[1:](x)": FAILS,
    "nn.Sequential(*pair, nn.Linear(2, 5))(x)": "(3, 5) float32",
    "nn.ModuleList(pair).to('cpu')[-1](x[:, :2])": FAILS,
    "nn.Conv2d(4, 6, 3, groups=2).weight": "(6, 2, 3, 3) float32",
    "nn.ConvTranspose2d(4, 6, 3, groups=2).weight": "(4, 3, 3, 3) float32",
    "nn.Linear(4, 5).bias + x[:, :1]": "(3, 5) float32",
    "nn.LSTM(3, 5, 2, bidirectional=True).weight_ih_l1_reverse": "(20, 10) float32",
    "nn.BatchNorm2d(5).running_mean": "(5,) float32",
    "torch.zeros(nn.Conv2d(3, 8, 5).kernel_size)": "(5, 5) float32",
    # sequences of unequal lengths
    "last": "(1, 2, 6) float32",
    "nn.utils.rnn.pad_packed_sequence(outputs, batch_first=True, total_length=5)[0]": "(2, 5, 6) float32",
    "nn.GRU(7, 6)(packed)": FAILS,
    "nn.utils.rnn.pack_padded_sequence(query, torch.tensor([5, 3]))": FAILS,
    "nn.utils.rnn.pad_sequence([x, x[:2]])": "(3, 2, 4) float32",
    # functions of batches and their derivatives, modules with other weights
    "torch.vmap(torch.dot, in_dims=(0, None))(x, row)": "(3,) float32",
    "torch.vmap(torch.dot)(x, row)": FAILS,
    "torch.vmap(lambda a: (a.sum(), a[:, None]), out_dims=(0, 1))(x)[1]": "(4, 3, 1) float32",
    "torch.func.vmap(torch.func.grad(lambda w, a: w @ a), in_dims=(None, 0))(row, x)": "(3, 4) float32",
    "torch.func.grad(lambda w: x @ w)(row)": FAILS,
    "torch.func.grad_and_value(lambda w: (x @ w).sum())(row)[1]": "() float32",
    "torch.func.hessian(lambda w: (x @ w).sum())(row)": "(4, 4) float32",
    "torch.autograd.functional.jacobian(lambda w: x @ w, row)": "(3, 4) float32",
    "torch.func.functional_call(nn.Linear(4, 5), {}, (x,))": "(3, 5) float32",
    # derivatives are those of a number
    "x.backward()": FAILS,
    "(x * param).sum().backward()": SILENT,
    "(x * param).backward(torch.ones(3, 4))": SILENT,
    "(x * param).backward(torch.ones(4, 3))": FAILS,
    "torch.autograd.grad((x * param).sum(), param)[0]": "(3, 4) float32",
    "torch.autograd.grad(x * param, param)": FAILS,
    # parameters in their order, weights that a file holds
    "[each for each in net.parameters()][0]": "(8, 4) float32",
    "torch.cat([each.flatten() for each in net.parameters()])": "(58,) float32",
    "[one + other for one, other in zip(net.parameters(), Net(8).parameters())][2]": "(2, 8) float32",
    "[one + other for one, other in zip(net.parameters(), Net(6).parameters())]": FAILS,
    "[torch.save(net.state_dict(), 'weights.pt'), Net(8).load_state_dict(torch.load('weights.pt'))]": SILENT,
    "[torch.save(net.state_dict(), 'weights.pt'), Net(6).load_state_dict(torch.load('weights.pt'))]": FAILS,
    "F.scaled_dot_product_attention(query, key, key, torch.zeros(2, 1, 7))": "(2, 5, 8) float32",
    "F.scaled_dot_product_attention(query, key, key, attn_mask=torch.zeros(2, 7) > 0)": FAILS,
    "attend(query, key, key, attn_mask=torch.zeros(4, 5, 7))[0]": "(2, 5, 8) float32",
    "attend(query, key, key, attn_mask=torch.zeros(1, 2, 7))[0]": FAILS,
    "[x == [], x][1]": "(3, 4) float32",
    "x == row": "(3, 4) bool",
    # rows for all words, functions with derivatives of their own
    "nn.Embedding(50, 8)(torch.randint(0, 50, (4, 20)))": "(4, 20, 8) float32",
    "nn.Embedding(50, 8)(torch.randint(0, 500, (4, 20)))": FAILS,
    "nn.Embedding(50, 8)(torch.randint(500, (4, 20)).view(-1))": FAILS,
    "nn.Embedding(50, 8)(torch.tensor([1, 50]))": FAILS,
    "nn.Embedding.from_pretrained(x)(torch.tensor([[1], [2]]))": "(2, 1, 4) float32",
    "Doubled.apply(x)": "(3, 4) float32",
    "Product.apply(x, torch.ones(5, 4)).sum()": "() float32",
    # options that NumPy calls otherwise
    "torch.fft.rfft(image, dim=2).abs().float()": "(2, 3, 9, 16) float32",
    "torch.fft.rfft2(image, dim=(1, 2)).abs().float()": "(2, 3, 9, 16) float32",
    "torch.fft.irfftn(torch.fft.rfft2(x), (3, 4)).float()": "(3, 4) float32",
    "torch.fft.irfft2(torch.fft.rfft2(image), dim=(2, 3)).float()": "(2, 3, 16, 16) float32",
    "F.cross_entropy(x, row[:3] > 0)": FAILS,
    "torch.zeros(5, 3).index_add(0, torch.tensor([[1], [2]]), torch.zeros(2, 3))": FAILS,
    "torch.normal(torch.zeros(3, 1), torch.ones(4))": "(3, 4) float32",
    "query.rot90(k=-1, dims=(1, 2))": "(2, 8, 5) float32",
    "query.diagonal(dim1=0, dim2=2)": "(5, 2) float32",
    "torch.concatenate([x, x], axis=1)": "(3, 8) float32",
    # pictures, which are no tensors before they are made such
    "ToTensor()(np.zeros((5, 6, 3)))": "(3, 5, 6) float64",
    "Compose([ToPILImage(), Resize((8, 9)), ToTensor()])(np.zeros((5, 6, 3), np.uint8))": "(3, 8, 9) float32",
    "Compose([ToTensor(), lambda a: a.flatten()])(np.zeros((5, 6, 3)))": "(90,) float64",
    "Compose([ToPILImage(), Grayscale()])(np.zeros((5, 6, 3), np.uint8)).size": SILENT,
    # patches, distances, parts
    "F.unfold(image, 3, padding=1)": "(2, 27, 256) float32",
    "F.fold(torch.zeros(2, 27, 256), (16, 16), 3, padding=1)": "(2, 3, 16, 16) float32",
    "F.fold(torch.zeros(2, 27, 250), (16, 16), 3, padding=1)": FAILS,
    "F.grid_sample(image, torch.zeros(2, 5, 6, 2), align_corners=False)": "(2, 3, 5, 6) float32",
    "nn.CosineSimilarity(dim=2)(query, query).float()": "(2, 5) float32",
    "torch.select(image, 1, 0)": "(2, 16, 16) float32",
    "torch.fft.rfft2(image).abs().float()": "(2, 3, 16, 9) float32",
    "image.new(2, 5)": "(2, 5) float32",
    "nn.Parameter(torch.zeros(3, 4)) * x": "(3, 4) float32",
    "nn.Linear(4, 5).weight": "(5, 4) float32",
    # one value, which has no variance while a module is trained
    "nn.BatchNorm1d(4)(x[:1])": FAILS,
    "nn.BatchNorm2d(3)(torch.zeros(1, 3, 1, 2))": "(1, 3, 1, 2) float32",
    "nn.InstanceNorm2d(3)(torch.zeros(2, 3, 1, 1))": FAILS,
    "nn.BatchNorm1d(4).eval()(x[:1])": "(1, 4) float32",
    "torch.cross(x, x)": "(3, 4) float32",
    "first_of(Ragged())": FAILS,
    "Watched()(x)[1]": "(3, 5) float32",
    "torch.linalg.cross(x, x)": FAILS,
    "F.linear(x, torch.zeros(5, 4), torch.zeros(1))": "(3, 5) float32",
    "F.linear(x, torch.zeros(5, 4), unknown)": "(3, 5) float32",
    "F.linear(row, torch.zeros(5, 4), torch.zeros(1, 5))": "(5,) float32",
    "Averaged()(x, x)": "() float32",
    "nn.AdaptiveAvgPool2d(1)(torch.zeros(2, 3, 4, 5, 6))": "(2, 3, 4, 1, 1) float32",
    "nn.AdaptiveAvgPool2d(2)(torch.zeros(2, 3, 4, 5, 6))": FAILS,
    "nn.CosineEmbeddingLoss()(x, x, torch.ones(4))": FAILS,
    "nn.TripletMarginLoss()(x[:1], x, x[:2])": FAILS,
    "torch.zeros(3, 4, 5)[torch.triu(torch.ones(3, 4)).byte()].sum(0)": "(5,) float32",
    "torch.flatten(torch.tensor(3.0), end_dim=-2)": FAILS,
}
SUSPICIOUS = {"x.view(4, -1)": "reshape-as-transpose"}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return what the check says of each expression."""
    return checked(SETUP, CASES, tmp_path_factory.mktemp("torch") / "program.py", SUSPICIOUS)


@pytest.mark.parametrize("expression", CASES)
def test_what_is_known(expression: str, told: dict[str, str]) -> None:
    assert told.get(expression, SILENT) == CASES[expression]


@pytest.mark.parametrize("line", ["loss.data[0]", "loss.data.numpy()[0]"])
def test_an_index_of_a_number_is_dated(line: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    program = "import torch\nfrom torch.autograd import Variable\nloss = Variable(torch.zeros(3)).sum()\n"
    path.write_text(program + line)
    assert [f.severity.value for f in shapecheck.check([path], shapecheck.Config(cache_dir=None))] == ["warning"]
    path.write_text(f"import torch\nloss = torch.zeros(3).sum()\n{line.replace('.data', '')}")
    assert [f.severity.value for f in shapecheck.check([path], shapecheck.Config(cache_dir=None))] == ["error"]


@pytest.mark.skipif(not PYTORCH.is_there, reason="PyTorch is not there: make diff-packs")
def test_it_is_so() -> None:
    assert wrong(PYTORCH.python, SETUP, CASES) == {}
