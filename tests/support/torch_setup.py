"""What expressions of PyTorch start with in tests: tensors, and networks of them."""

TENSORS = """
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from shapecheck import reveal_shape as show

x = torch.ones(3, 4)
row = torch.arange(4.0)
image = torch.zeros(2, 3, 16, 16)
param = torch.ones(3, 4, requires_grad=True)
"""
NETWORKS = (
    TENSORS
    + """
from torchvision.models import resnet18, vgg11
from torchvision.transforms import CenterCrop, Compose, Grayscale, Resize, ToPILImage, ToTensor
unknown = torch.ones(int(np.random.randint(5, 6)))
changed = torch.ones(3, 4)
changed.clamp_(0).unsqueeze_(2)
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
)
