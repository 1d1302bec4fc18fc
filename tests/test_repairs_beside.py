"""Repairs whose reason stands beside the fault: other options, axes and sums of the same program."""

from __future__ import annotations

import pytest

from tests.support.promises import edited
from tests.support.repairs import HEAD, findings, first_fix


@pytest.mark.parametrize(
    ("body", "before", "after"),
    [
        (
            "x = np.ones((60, 28, 28))\nx.reshape(60, 784)\nprint(np.dot(x, np.ones((784, 10))))\n",
            "\nx.reshape",
            "\nx = x.reshape",
        ),
        (
            "rows = tf.data.Dataset.range(9)\nrows.batch(3)\nfor row in rows:\n    print(row)\n",
            "\nrows.batch",
            "\nrows = rows.batch",
        ),
        (
            "x = layers.Conv2D(8, 3)(keras.Input((9, 9, 3)))\nprint(layers.BatchNormalization(axis=1)(x))\n",
            "axis=1",
            "axis=-1",
        ),
        (
            "x = np.ones((4, 10, 32))\nmean = x.mean(axis=-1, keepdims=True)\nvar = x.var(axis=-1)\n"
            "print((x - mean) / np.sqrt(var))\n",
            "x.var(axis=-1)",
            "x.var(axis=-1, keepdims=True)",
        ),
        (
            "x, y = np.ones((30, 5)), np.ones((12, 5))\nxx, yy = (x**2).sum(axis=1), (y**2).sum(axis=1)\n"
            "print(xx + yy - 2 * (x @ y.T))\n",
            "xx + yy",
            "xx[:, np.newaxis] + yy",
        ),
        (
            "losses, labels = tf.ones([8]), tf.zeros([8], tf.int32)\nclass_weights = tf.ones([3])\n"
            "print(losses * class_weights)\n",
            "losses * class_weights",
            "losses * tf.gather(class_weights, labels)",
        ),
        (
            "prices, window = np.ones(250), 20\naverage = np.convolve(prices, np.ones(window) / window, mode='valid')\n"
            "print(prices > average)\n",
            "prices > ",
            "prices[window - 1:] > ",
        ),
        (
            "from scipy.interpolate import interp1d\nx, new = np.linspace(0, 10, 50), np.linspace(0, 10, 200)\n"
            "y = np.sin(x)\nf = interp1d(x, y)\nprint(f(new) - y)\n",
            "f(new)",
            "f(x)",
        ),
        (
            "turn, points = np.eye(2), np.ones((100, 2))\ncenter = points.mean(axis=0)\n"
            "print(turn @ (points - center))\n",
            "turn @ (points - center)",
            "(points - center) @ turn.T",
        ),
        (
            "dim = 8\nwords, places = layers.Embedding(50, output_dim=dim), layers.Embedding(9, output_dim=9)\n"
            "print(words(keras.Input((9,))) + places(tf.range(9)))\n",
            "Embedding(9, output_dim=9)",
            "Embedding(9, output_dim=dim)",
        ),
        (
            "chars, classes = 5, 36\nx = layers.Dense(chars * classes)(keras.Input((7,)))\n"
            "layers.Reshape((classes, classes))(x)\n",
            "((classes, classes))",
            "((chars, classes))",
        ),
        (
            "x = keras.Input((64, 64, 3))\n"
            "out = layers.Conv2D(5, 1, strides=2, activation='softmax')(layers.Conv2D(8, 3, padding='same')(x))\n"
            "model = keras.Model(x, out)\nmodel.compile(loss='sparse_categorical_crossentropy')\n"
            "model.fit(np.zeros((4, 64, 64, 3)), np.zeros((4, 64, 64)))\n",
            ", strides=2",
            "",
        ),
        (
            "import pandas as pd\ntable = pd.DataFrame(np.ones((9, 4)), columns=['a', 'b', 'c', 'target'])\n"
            "y = table['target'].values\nx = table.values\n"
            "model = keras.Sequential([keras.Input((3,)), layers.Dense(1)])\n"
            "model.compile(loss='mse')\nmodel.fit(x, y)\n",
            "x = table.values",
            "x = table.drop(columns='target').values",
        ),
        (
            "height, width, window = 28, 22, 3\nout = np.zeros((height - window + 1, width - window + 1))\n"
            "for i in range(height):\n    for j in range(width - window + 1):\n        out[i, j] = 1.0\n",
            "range(height)",
            "range(height - window + 1)",
        ),
        (
            "rows, columns = 28, 20\nx = np.zeros((100, rows, columns))\nprint(x.reshape(100, rows))\n",
            "(100, rows)",
            "(100, rows * columns)",
        ),
        (
            "batch, n = 32, 5\nmodel = keras.Sequential([keras.Input((n,)), layers.Dense(1)])\n"
            "model.compile(loss='mse')\ny = np.concatenate([np.ones((batch, 1)), np.zeros((batch // 2, 1))])\n"
            "model.train_on_batch(np.zeros((2 * batch, n)), y)\n",
            "batch // 2",
            "batch",
        ),
        (
            "layer = layers.Dense(3)\nsample = tf.ones([4])\nprint(layer(sample))\n",
            "(sample)",
            "(sample[tf.newaxis])",
        ),
    ],
)
def test_programs_of_arrays_and_models(body: str, before: str, after: str) -> None:
    assert first_fix(body) == body.replace(before, after)


@pytest.mark.parametrize(
    ("body", "before", "after"),
    [
        (
            "import torch\nfrom torch import nn\n\n\ndef block(a, b):\n"
            "    return nn.Sequential(nn.Conv2d(a, b, 1), nn.ReLU())\n\n\n"
            "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
            "        self.one = block(3, 32)\n"
            "        self.two = block(32, 32)\n\n    def forward(self, x):\n        x = self.one(x)\n"
            "        return self.two(torch.cat([x, x], 1))\n\n\nNet()(torch.ones(1, 3, 8, 8))\n",
            "block(32, 32)",
            "block(64, 32)",
        ),
        (
            "import torch\nscores, numbers = torch.rand(2, 4, 32, 48), torch.randint(0, 4, (2, 32, 48))\n"
            "rows = torch.nn.functional.one_hot(numbers, 4)\nprint((scores * rows).sum())\n",
            "(numbers, 4)",
            "(numbers, 4).permute(0, 3, 1, 2)",
        ),
        (
            "import torch\nfrom torch import nn\n\n\ndef made(states, actions):\n"
            "    return nn.Sequential(nn.Linear(states, actions))\n\n\n"
            "states, actions = 8, 4\nmade(actions, states)(torch.ones(5, states))\n",
            "made(actions, states)(",
            "made(states, actions)(",
        ),
        (
            "import torch\nfrom torch import nn\nseries = torch.ones(9, 24)\n"
            "nn.LSTM(1, 32, batch_first=True)(series)\n",
            "(series)",
            "(series.unsqueeze(-1))",
        ),
        (
            "import torch\nrows, pictures = torch.rand(6, 784), torch.rand(6, 1, 28, 28)\n"
            "print(torch.nn.functional.binary_cross_entropy(rows, pictures))\n",
            "(rows, pictures)",
            "(rows, pictures.flatten(1))",
        ),
        (
            "import torch\nplaces = torch.arange(50)\nsteps = torch.arange(32)\ntable = torch.zeros(50, 64)\n"
            "table[:, 0::2] = torch.sin(places * steps)\ntable[:, 1::2] = torch.cos(places * steps)\n",
            "arange(50)",
            "arange(50)[:, None]",
        ),
        (
            "import jax\nimport jax.numpy as jnp\nwide, narrow = 16, 5\n"
            "a, b = jnp.ones((narrow, wide)), jnp.ones((wide, wide))\n"
            "\n\ndef step(h, x):\n    return jnp.tanh(x @ a + h @ b), h\n\n\n"
            "jax.lax.scan(step, jnp.zeros(narrow), jnp.ones((20, narrow)))\n",
            "zeros(narrow)",
            "zeros(wide)",
        ),
    ],
)
def test_programs_of_modules(body: str, before: str, after: str) -> None:
    assert edited(findings(HEAD + body)[0].fix) == HEAD + body.replace(before, after)
