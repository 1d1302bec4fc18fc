"""Repairs that fit the rest of the program: what it does with other data and layers, and the same value."""

from __future__ import annotations

import pytest

from tests.support.promises import edited
from tests.support.repairs import HEAD, findings, first_fix

_IMAGES = (
    "model = keras.Sequential([keras.Input((8, 8, 3)), layers.Flatten(), layers.Dense(2)])\nmodel.compile(loss='mse')\n"
)


@pytest.mark.parametrize(
    ("body", "before", "after"),
    [
        (
            "x, y = np.zeros((9, 8, 8, 3)), np.zeros((9, 2))\ndata = tf.data.Dataset.from_tensor_slices((x, y))\n"
            f"{_IMAGES}model.fit(data.batch(4), validation_data=data)\n",
            "validation_data=data",
            "validation_data=data.batch(4)",
        ),
        (
            "train, labels = np.zeros((9, 4)), np.zeros((9, 2))\ntest = np.zeros((5, 4))\n"
            "model = keras.Sequential([layers.LSTM(2)])\nmodel.compile(loss='mse')\n"
            "model.fit(train, labels)\nmodel.predict(test)\n",
            "train, labels = np.zeros((9, 4)), np.zeros((9, 2))\ntest = np.zeros((5, 4))\n",
            "train, labels = np.zeros((9, 4)), np.zeros((9, 2))\ntrain = train[..., np.newaxis]\n"
            "test = np.zeros((5, 4))\ntest = test[..., np.newaxis]\n",
        ),
        (
            "x, y = np.zeros((9, 4)), np.zeros((9, 6))\n"
            "model = keras.Sequential([keras.Input((4,)), layers.Dense(6, activation='sigmoid')])\n"
            "model.compile(loss='sparse_categorical_crossentropy')\nmodel.fit(x, y)\n",
            "sparse_categorical",
            "binary",
        ),
        (
            "x = keras.Input((28, 28, 8))\nz = layers.Dense(2)(layers.Flatten()(x))\n"
            "back = layers.Reshape((28, 28, 8))(layers.Dense(28 * 28 * 4)(z))\n",
            "28 * 4",
            "28 * 8",
        ),
        (
            "y = keras.utils.to_categorical(np.random.randint(0, 3, 9))\nothers = np.random.randint(0, 3, 5)\n"
            "model = keras.Sequential([keras.Input((4,)), layers.Dense(3, activation='softmax')])\n"
            "model.compile(loss='categorical_crossentropy')\nmodel.fit(np.zeros((9, 4)), y)\n"
            "model.evaluate(np.zeros((5, 4)), others)\n",
            "others)",
            "keras.utils.to_categorical(others))",
        ),
        (
            "model = keras.Sequential([keras.Input((4,)), layers.Dense(2)])\n"
            "model.compile(loss='mse')\nrow = np.zeros(4)\n"
            "target = model.predict(row)\nmodel.fit(row, target)\n",
            "row = np.zeros(4)\n",
            "row = np.zeros(4)\nrow = row[np.newaxis]\n",
        ),
        (
            "ids = keras.Input((9,))\nx = layers.Embedding(50, 8)(ids)\nx = layers.MultiHeadAttention(2, 4)(x, x)\n"
            "model = keras.Model(ids, layers.Dense(3, activation='softmax')(x))\n"
            "model.compile(loss='sparse_categorical_crossentropy')\n"
            "model.fit(np.zeros((7, 9)), np.zeros(7))\n",
            "'softmax')(x)",
            "'softmax')(layers.GlobalAveragePooling1D()(x))",
        ),
    ],
)
def test_models(body: str, before: str, after: str) -> None:
    assert first_fix(body) == body.replace(before, after)


@pytest.mark.parametrize(
    ("body", "before", "after"),
    [
        (
            "from sklearn.preprocessing import MinMaxScaler\nall_columns, one = MinMaxScaler(), MinMaxScaler()\n"
            "all_columns.fit(np.zeros((9, 4)))\none.fit(np.zeros((9, 1)))\n"
            "all_columns.inverse_transform(np.zeros((3, 1)))\n",
            "all_columns.inverse",
            "one.inverse",
        ),
        (
            "import pandas as pd\nfrom sklearn.linear_model import LinearRegression\n"
            "table = pd.DataFrame({'a': np.ones(9)})\n"
            "x = table['a']\nLinearRegression().fit(x, np.zeros(9))\n",
            "table['a']",
            "table[['a']]",
        ),
        (
            "import torch\nx = torch.ones(2, 10, 4, 16)\n\n\ndef merged(x):\n    b, t, heads, width = x.shape\n"
            "    d = heads * width\n    return x.view(b, t, width)\n\n\nmerged(x)\n",
            "view(b, t, width)",
            "view(b, t, d)",
        ),
        (
            "from torch import nn\nimport torch\n"
            "net = nn.Sequential(\n    nn.Linear(12, 2),\n)\nnet(torch.ones(5, 3, 4))\n",
            "    nn.Linear",
            "    nn.Flatten(),\n    nn.Linear",
        ),
        (
            "import jax\nimport jax.numpy as jnp\n\n\ndef loss(w, x):\n    return (x @ w) ** 2\n\n\n"
            "for _ in range(3):\n    jax.grad(loss)(jnp.ones((4, 1)), jnp.ones((9, 4)))\n",
            "return (x @ w) ** 2",
            "return jnp.mean((x @ w) ** 2)",
        ),
        (
            "import jax\nimport jax.numpy as jnp\nlayers = []\nfor n_in, n_out in zip([8, 6], [6, 3]):\n"
            "    layers.append(jnp.zeros((n_out, n_in)))\nx = jnp.ones((5, 8))\n"
            "for w in layers[:-1]:\n    x = x @ w\nprint(x @ layers[-1])\n",
            "(n_out, n_in)",
            "(n_in, n_out)",
        ),
    ],
)
def test_arrays(body: str, before: str, after: str) -> None:
    text = HEAD.replace("from tensorflow.keras import layers\n", "") + body
    assert edited(findings(text)[0].fix) == text.replace(before, after)


def test_what_is_taken_out_of_a_chain_keeps_its_brackets() -> None:
    text = "import torch\na = torch.ones(2, 3, 4)\nb = (a + a).transpose(1, 2).contiguous().view(2, 5)\n"
    titles = [fix.title for fix in findings(text, fixes=3)[0].fixes]
    assert not any("a + a." in title for title in titles)
