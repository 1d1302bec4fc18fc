"""Repairs of programs of PyTorch: the first one is what an author would do."""

from __future__ import annotations

import pytest

from tests.support.promises import edited
from tests.support.repairs import findings

TORCH = "import torch\nfrom torch import nn\n"


@pytest.mark.parametrize(
    ("body", "before", "after"),
    [
        ("x = torch.ones(8, 3, 4)\nprint(nn.Linear(12, 2)(torch.flatten(x)))\n", "flatten(x)", "flatten(x, 1)"),
        (
            "net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Flatten(), nn.Linear(4 * 36, 2))\n"
            "print(net(torch.rand(3, 8, 8)))\n",
            "torch.rand(3, 8, 8)",
            "torch.rand(3, 8, 8).unsqueeze(0)",
        ),
        (
            "rnn, x = nn.GRU(5, 6), torch.ones(3, 7, 5)\nprint(rnn(x, torch.zeros(1, x.size(0), 6)))\n",
            "nn.GRU(5, 6)",
            "nn.GRU(5, 6, batch_first=True)",
        ),
        ("a, b = torch.ones(9, 4), torch.ones(9, 6)\nprint(torch.cat((a, b)))\n", "(a, b))", "(a, b), dim=-1)"),
        (
            "clips = torch.ones(2, 16, 3, 9, 9)\nprint(nn.Conv3d(3, 4, 3)(clips))\n",
            "(clips)",
            "(clips.transpose(1, 2))",
        ),
        ("x = torch.ones(3, requires_grad=True)\n(x * 2).backward()\n", "(x * 2)", "(x * 2).mean()"),
        (
            "rnn, x = nn.GRU(5, 6, 2, batch_first=True), torch.ones(3, 7, 5)\nprint(rnn(x, torch.zeros(3, 2, 6)))\n",
            "zeros(3, 2, 6)",
            "zeros(2, 3, 6)",
        ),
        (
            "scores, pad = torch.ones(2, 4, 9, 9), torch.zeros(2, 9, dtype=torch.bool)\n"
            "print(scores.masked_fill(pad, 0.0))\n",
            "(pad,",
            "(pad[:, None, None],",
        ),
        ("g, w = torch.ones(8, 3), torch.ones(3, 6)\nprint(g @ w.t())\n", "w.t()", "w"),
        ("x = torch.ones(2, 3, 4, 5)\nn, c, h = x.shape\n", "n, c, h", "n, c, h, _"),
        (
            "gru, token = nn.GRU(4, 6), torch.ones(5, 4)\nprint(gru(token, torch.zeros(1, 5, 6)))\n",
            "gru(token,",
            "gru(token.unsqueeze(0),",
        ),
        (
            "gru = nn.GRU(4, 6, num_layers=2, bidirectional=True)\nlayers = 2\n"
            "print(gru(torch.ones(7, 5, 4), torch.zeros(layers, 5, 6)))\n",
            "zeros(layers,",
            "zeros(layers * 2,",
        ),
        (
            "steps, sensors = 25, 6\nwalk = torch.randn(12, steps, sensors)\n"
            "print(nn.LSTM(steps, 8, batch_first=True)(walk))\n",
            "LSTM(steps,",
            "LSTM(sensors,",
        ),
        (
            "def make(inputs, outputs):\n    weights = torch.randn(outputs, inputs)\n    return weights\n\n\n"
            "w, v = make(4, 5), make(5, 2)\nprint(torch.ones(3, 4) @ w @ v)\n",
            "(outputs, inputs)",
            "(inputs, outputs)",
        ),
        (
            "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
            "        self.body, self.head = nn.Linear(6, 8), nn.Linear(8, 4)\n\n"
            "    def forward(self, x):\n        h = self.body(x)\n        return self.head(h)\n\n\n"
            "print(nn.CrossEntropyLoss()(Net()(torch.ones(9, 7, 6)), torch.zeros(9, dtype=torch.long)))\n",
            "self.head(h)",
            "self.head(h.mean(dim=1))",
        ),
        (
            "up, width = nn.ConvTranspose2d(8, 4, 2, stride=2), 8\n"
            "maps = torch.cat([up(torch.ones(2, 8, 2, 2)), torch.ones(2, 4, 4, 4)], 1)\n"
            "print(nn.Conv2d(width // 2, 3, 3)(maps))\n",
            "width // 2",
            "width",
        ),
        (
            "x, target = torch.ones(2, 3, 9, 9), torch.ones(2, 1, 9, 9)\nprint(nn.Conv2d(3, 1, 3)(x) * target)\n",
            "Conv2d(3, 1, 3)",
            "Conv2d(3, 1, 3, padding=1)",
        ),
        (
            "chances, taken = torch.ones(50, 2), torch.zeros(50, dtype=torch.long)\n"
            "print((chances.gather(1, taken) * torch.ones(50)).mean())\n",
            "gather(1, taken)",
            "gather(1, taken.unsqueeze(1)).squeeze(1)",
        ),
        (
            "class Frames(nn.Module):\n    def forward(self, x):\n        b, c, t, h, w = x.shape\n"
            "        return x.view(b * t, c, h * w)\n",
            "x.view(",
            "x.permute(0, 2, 1, 3, 4).reshape(",
        ),
        ("k = torch.ones(3, 5, 4)\nprint(k @ k.transpose(0, 1))\n", "0, 1", "-2, -1"),
        (
            "latent = 8\nz = torch.ones(16, latent)\nprint(nn.Linear(2 * latent, 4)(z))\n",
            "2 * latent",
            "latent",
        ),
        (
            "def make(emb, hidden):\n    return nn.GRU(emb, hidden, batch_first=True)\n\n\n"
            "both = torch.cat([torch.ones(3, 1, 5), torch.ones(3, 1, 7)], dim=2)\nprint(make(5, 7)(both))\n",
            "GRU(emb,",
            "GRU(emb + hidden,",
        ),
        (
            "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
            "        self.rnn = nn.GRU(5, 6)\n\n"
            "    def forward(self, x):\n        return self.rnn(x, torch.zeros(1, 32, 6))\n\n\n"
            "net = Net()\nprint(net(torch.ones(7, 32, 5)), net(torch.ones(7, 9, 5)))\n",
            "(1, 32, 6)",
            "(1, x.size(1), 6)",
        ),
        (
            "rows = torch.eye(4).long()\nprint(nn.functional.cross_entropy(torch.ones(4, 4), rows.view(-1)))\n",
            "rows.view(-1)",
            "rows.argmax(dim=1)",
        ),
        (
            "outs, state = nn.GRU(5, 6, batch_first=True)(torch.ones(3, 7, 5))\nprint(torch.tanh(state + outs))\n",
            "state + outs",
            "state.transpose(0, 1) + outs",
        ),
        (
            "net = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2), 1)\nwords = torch.ones(9, 4)\n"
            "print(net(torch.ones(9, 4, 8), src_key_padding_mask=words == 0))\n",
            "mask=words == 0",
            "mask=(words == 0).T",
        ),
        (
            "from torch.nn import functional as F\nx = torch.ones(1, 3, 9, 9)\nlow = F.avg_pool2d(x, 2)\n"
            "print(x + F.interpolate(low, scale_factor=2))\n",
            "scale_factor=2",
            "size=x.shape[-2:]",
        ),
        (
            "from torch.nn import functional as F\nkinds, scores = torch.randint(0, 10, (16,)), torch.rand(16, 10)\n"
            "print((kinds * torch.relu(0.9 - scores)).sum())\n",
            "(kinds *",
            "(F.one_hot(kinds, 10) *",
        ),
        (
            "scores, kinds = torch.rand(32, 3), torch.zeros(32).long()\nchosen = scores.gather(1, kinds.unsqueeze(1))\n"
            "print((torch.rand(32) - chosen).pow(2).mean())\n",
            "- chosen",
            "- torch.squeeze(chosen, 1)",
        ),
        ("x = torch.ones(4, 1)\nprint(x.mean(1).squeeze(1))\n", ".squeeze(1)", ""),
        (
            "class Net(nn.Module):\n    def __init__(self, width, hidden):\n        super().__init__()\n"
            "        self.gru = nn.GRU(width, hidden, batch_first=True, bidirectional=True)\n"
            "        self.out = nn.Linear(hidden, 5)\n"
            "    def forward(self, x):\n        return self.out(self.gru(x)[0])\n",
            "Linear(hidden, 5)",
            "Linear(hidden * 2, 5)",
        ),
        (
            "class Net(nn.Module):\n    def __init__(self, config):\n        super().__init__()\n"
            "        self.first = nn.Linear(8, config.hidden)\n"
            "        self.second = nn.Linear(config.hidden * 2, 5)\n"
            "    def forward(self, x):\n        return self.second(self.first(x))\n",
            "Linear(config.hidden * 2, 5)",
            "Linear(config.hidden, 5)",
        ),
    ],
)
def test_first_fix_for_torch(body: str, before: str, after: str) -> None:
    assert body.count(before) == 1
    (found, *_) = findings(TORCH + body)
    assert edited(found.fix) == TORCH + body.replace(before, after)


def test_a_view_and_its_layer_are_mended_together() -> None:
    body = (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.conv, self.line = nn.Conv2d(1, 4, 3), nn.Linear(36, 2)\n\n"
        "    def forward(self, x):\n        x = self.conv(x)\n        x = x.view(-1, 36)\n"
        "        return self.line(x)\n\n\n"
        "out = Net()(torch.ones(5, 1, 8, 8))\nprint(nn.functional.cross_entropy(out, torch.zeros(5).long()))\n"
    )
    (found, *_) = findings(TORCH + body)
    mended = body.replace("nn.Linear(36, 2)", "nn.Linear(4 * 6 * 6, 2)").replace("view(-1, 36)", "view(x.size(0), -1)")
    assert edited(found.fix) == TORCH + mended


def test_a_name_that_is_not_meant_to_be_used_is_not_read() -> None:
    text = TORCH + "y, _ = nn.GRU(4, 6, bidirectional=True)(torch.ones(7, 5, 4))\nprint(nn.Linear(6, 2)(y[-1]))\n"
    assert all("Linear(6, 2)(_" not in edited(fix) for found in findings(text, fixes=9) for fix in found.fixes)


def test_a_width_that_is_chosen_for_a_model_stays() -> None:
    body = """class Net(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.first, self.second = nn.Linear(features, hidden), nn.Linear(features, 1)

    def forward(self, x):
        return self.second(self.first(x))


print(Net(6, 32)(torch.ones(3, 6)))
"""
    (found, *_) = findings(TORCH + body)
    assert edited(found.fix) == TORCH + body.replace("nn.Linear(features, 1)", "nn.Linear(hidden, 1)")
