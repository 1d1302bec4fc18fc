"""Repairs are offered only if they stand their trial: the finding is gone, and no other one appears."""

from __future__ import annotations

import pytest

from shapecheck.changed_lines import edits_between
from shapecheck.checker.pipeline import check
from shapecheck.config import Config
from shapecheck.findings import Finding
from shapecheck.source import Cell, Source
from tests.support.promises import edited

HEAD = """import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
"""


def findings(text: str, fixes: int = 1) -> list[Finding]:
    return check(["-"], Config(fixes=fixes), stdin=text).findings


def first_fix(body: str) -> str | None:
    """Return what the program is with the first fix of its first finding."""
    found = findings(HEAD + body)
    assert found, "nothing is found"
    return edited(found[0].fix).removeprefix(HEAD) if found[0].fix else None


MODEL = """x, y = np.zeros((50, 20)), np.zeros((50, {columns}))
model = keras.Sequential([keras.Input(({inputs},)), layers.Dense({units})])
model.compile(loss="mse")
model.fit(x, y)
"""


@pytest.mark.parametrize(
    ("body", "before", "after"),
    [
        ("x = np.zeros((3, 4))\nprint(x @ np.zeros((5, 4)))\n", "np.zeros((5, 4)))", "np.zeros((5, 4)).T)"),
        ("x, w = tf.ones([3, 4]), tf.ones([5, 4])\nprint(tf.matmul(x, w))\n", "x, w))", "x, w, transpose_b=True))"),
        ("x = np.ones((3, 4))\nprint(x - x.mean(axis=1))\n", "axis=1", "axis=1, keepdims=True"),
        (MODEL.format(columns=3, inputs=30, units=3), "keras.Input((30,))", "keras.Input((20,))"),
        (
            "model = keras.Sequential([keras.Input((8, 3)), layers.LSTM(4), layers.LSTM(4)])\n",
            "layers.LSTM(4), ",
            "layers.LSTM(4, return_sequences=True), ",
        ),
        (
            "net = keras.Sequential([keras.Input((8, 8, 3)), layers.Flatten()])\nnet.predict(np.zeros((8, 8, 3)))\n",
            "np.zeros((8, 8, 3)))\n",
            "np.zeros((8, 8, 3))[np.newaxis])\n",
        ),
        (
            "data = tf.data.Dataset.from_tensor_slices((np.zeros((9, 4)), np.zeros((9, 1))))\n"
            "model = keras.Sequential([keras.Input((4,)), layers.Dense(1)])\n"
            "model.compile(loss='mse')\nmodel.fit(data)\n",
            "fit(data)",
            "fit(data.batch(32))",
        ),
        (
            "labels = np.zeros(40, int)\n"
            "model = keras.Sequential([keras.Input((4,)), layers.Dense(3, activation='softmax')])\n"
            "model.compile(loss='categorical_crossentropy')\nmodel.fit(np.zeros((40, 4)), labels)\n",
            "'categorical",
            "'sparse_categorical",
        ),
        (
            "x = tf.ones([6, 9, 8])\nseen = x[..., 0] > 0\n"
            "layers.MultiHeadAttention(2, 4)(x, x, attention_mask=seen)\n",
            "=seen)",
            "=seen[:, None, :])",
        ),
        (
            "from scipy.optimize import minimize\nt = np.ones(9)\n\n\ndef f(p):\n    return (t - p[0]) ** 2\n\n\n"
            "minimize(f, [1.0])\n",
            "return (t - p[0]) ** 2",
            "return np.sum((t - p[0]) ** 2)",
        ),
        ("layers.Reshape((9, 24))(keras.Input((3, 3, 32)))\n", "24", "32"),
        ("x = keras.Input((4,))\nh = layers.Dense(3)\nlayers.Dense(2)(h)\n", "Dense(3)", "Dense(3)(x)"),
        ("x = layers.Flatten(keras.Input((4, 4)))\nlayers.Dense(2)(x)\n", "(keras.", "()(keras."),
        (
            "from math import sin\nprint(sin(np.ones(3)))\n",
            "sin(np.ones",
            "np.sin(np.ones",
        ),
        (
            "print(np.pad(np.ones((4, 4, 3)), ((1, 1), (1, 1))))\n",
            "(1, 1)))",
            "(1, 1), (0, 0)))",
        ),
        (
            "from sklearn.model_selection import train_test_split\nfrom sklearn.linear_model import Ridge\n"
            "a, b, c, d = train_test_split(np.ones((50, 3)), np.ones(50))\nRidge().fit(a, b)\n",
            "a, b, c, d",
            "a, c, b, d",
        ),
        (
            "import pandas as pd\nrow = [1, 2]\nprint(pd.DataFrame(row, columns=['a', 'b']))\n",
            "(row,",
            "([row],",
        ),
        ("x = np.ones((2, 3, 4))\nprint(x.reshape([6] + x.shape[2:]))\n", "[6]", "(6,)"),
        ("x = np.ones((2, 3, 4))\nprint(x.reshape(6 + x.shape[2:]))\n", "6 +", "(6,) +"),
        ("s = [6]\nx = np.ones((2, 3, 4))\nprint(x.reshape(s + x.shape[2:]))\n", "s +", "tuple(s) +"),
        ("print(np.zeros((4, np.ceil(9 / 2))))\n", "np.ceil(9 / 2)", "int(np.ceil(9 / 2))"),
        ("rows = np.ceil(9 / 2)\nprint(np.zeros((rows * 3 + 1, 4)))\n", "np.ceil(9 / 2)", "int(np.ceil(9 / 2))"),
        (
            "size = 9\nprint(np.zeros((4, size / 3)))\n",
            "size / 3",
            "size // 3",
        ),
        (
            "@tf.function\ndef f(x):\n    return np.mean(x)\n\n\nf(tf.ones([3]))\n",
            "np.mean",
            "tf.reduce_mean",
        ),
        (
            "x = np.random.rand(90, 4)\nprint((x - x.mean(axis=0)) @ np.cov(x))\n",
            "np.cov(x)",
            "np.cov(x, rowvar=False)",
        ),
        ("x = tf.ones([5, 12])\nprint(x[:, :, :6])\n", ":, :, :6", ":, :6"),
        (
            "x = np.random.rand(9, 3)\nmask = x.sum(axis=1, keepdims=True) > 1\nprint(x[mask])\n",
            ", keepdims=True",
            "",
        ),
        (
            "gates = tf.ones([5, 4]) @ tf.Variable(tf.ones([4, 3 * 25]))\nprint(tf.split(gates, 4, axis=1))\n",
            "3 * 25",
            "4 * 25",
        ),
        (
            "images = np.zeros((40, 28, 28))\nflat = images.reshape(40, -1)\n"
            "model = keras.Sequential([keras.Input((28, 28, 1)), layers.Flatten(), layers.Dense(1)])\n"
            "model.predict(flat)\n",
            "predict(flat)",
            "predict(flat.reshape(-1, 28, 28, 1))",
        ),
        (
            "x, y = np.zeros((50, 4)), np.zeros(50)\n"
            "x_train, x_test, y_train, y_test = x[:40], x[40:], y[:40], y[40:]\n"
            "model = keras.Sequential([keras.Input((4,)), layers.Dense(1)])\n"
            "model.compile(loss='mse')\nmodel.evaluate(x_test, y)\n",
            "(x_test, y)",
            "(x_test, y_test)",
        ),
        (
            "start = keras.Input((96, 96, 3))\nnet = keras.Model(start, layers.Flatten()(start))\nsize = 64\n"
            "net.predict(np.zeros((8, size, size, 3)))\n",
            "keras.Input((96, 96, 3))",
            "keras.Input((64, 64, 3))",
        ),
        (
            "@tf.function(input_signature=[tf.TensorSpec([None, 4])])\ndef f(x):\n    return x\n\n\nf(tf.ones([4]))\n",
            "f(tf.ones([4]))",
            "f(tf.ones([4])[tf.newaxis])",
        ),
        (
            "@tf.function\ndef f(n, v):\n    total = 0.0\n    for _ in tf.range(n):\n        total = total + v\n"
            "    return total\n\n\nf(tf.constant(3), tf.ones([2]))\n",
            "total = 0.0",
            "total = tf.zeros([2])",
        ),
        (
            "@tf.function\ndef f(x, y):\n    return x @ y\n\n\n"
            "for n in range(5, 15):\n    f(tf.ones([n, 4]), tf.ones([4, 2]))\n",
            "@tf.function\n",
            "@tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32), tf.TensorSpec([4, 2], tf.float32)])\n",
        ),
        (
            "@tf.function(jit_compile=False)\ndef f(x, mode):\n    return x if mode else -x\n\n\n"
            "for n in range(5, 15):\n    f(tf.ones([n, 4]), True)\n",
            "jit_compile=False",
            "jit_compile=False, reduce_retracing=True",
        ),
        (
            "@tf.function\ndef f(x, rate):\n    return x * rate\n\n\n"
            "for n in range(30):\n    f(tf.ones([4]), 0.9**n)\n",
            "0.9**n)",
            "tf.constant(0.9**n))",
        ),
        (
            "@tf.function\ndef f(x):\n    for _ in range(500):\n        x = x * (1.0 - x)\n    return x\n\n\n"
            "f(tf.ones([4]))\n",
            "range(500)",
            "tf.range(500)",
        ),
        (
            "from sklearn.decomposition import PCA\nfrom sklearn.svm import SVC\n"
            "x, y, fresh = np.random.rand(90, 30), np.zeros(90), np.random.rand(5, 30)\n"
            "reduction = PCA(4).fit(x)\nmodel = SVC().fit(reduction.transform(x), y)\nprint(model.predict(fresh))\n",
            "predict(fresh)",
            "predict(reduction.transform(fresh))",
        ),
        (
            "mask = np.random.rand(8, 10) > 0.5\nlosses = np.random.rand(8, 10)\nprint(losses * mask[:, 1:])\n",
            "mask[:, 1:]",
            "mask",
        ),
        (
            "a, b = np.random.rand(7, 3), np.random.rand(7)\nprint(np.linalg.solve(a, b))\n",
            "solve(a, b)",
            "lstsq(a, b, rcond=None)[0]",
        ),
        (
            "alpha = tf.random.uniform((8, 1))\nprint(alpha * tf.ones((8, 5, 6, 2)))\n",
            "uniform((8, 1))",
            "uniform((8, 1, 1, 1))",
        ),
        (
            "def paired(x, c):\n    return np.sqrt(((x - c) ** 2).sum(axis=1))\n\n\n"
            "print(paired(np.random.rand(9, 2), np.random.rand(4, 2)))\n",
            "(x - c) ** 2).sum(axis=1)",
            "(x[:, np.newaxis] - c) ** 2).sum(axis=2)",
        ),
        (
            "total = np.zeros(3)\nfor _ in range(2):\n    total += np.ones((3, 3))\nprint(total)\n",
            "np.zeros(3)",
            "np.zeros((3, 3))",
        ),
        (
            "import random\n\n\ndef cut(x):\n    start = random.randint(0, tf.shape(x)[0] - 3)\n"
            "    return x[start : start + 3]\n\n\ntf.data.Dataset.from_tensors(tf.ones([9])).map(cut)\n",
            "random.randint(0, tf.shape(x)[0] - 3)",
            "tf.random.uniform([], 0, tf.shape(x)[0] - 3 + 1, tf.int32)",
        ),
        (
            "PRICES = {0: 1.5, 1: 2.5}\n\n\ndef price(kind):\n    return PRICES[kind]\n\n\n"
            "tf.data.Dataset.from_tensor_slices([0, 1]).map(price)\n",
            "PRICES[kind]",
            "tf.gather(list(PRICES.values()), kind)",
        ),
        (
            "def grow(i, x):\n    return i + 1, tf.concat([x, x], 0)\n\n\n"
            "@tf.function\ndef run():\n"
            "    return tf.while_loop(lambda i, x: i < 3, grow, [tf.constant(0), tf.ones([2])])\n\n\nrun()\n",
            "tf.ones([2])])",
            "tf.ones([2])], shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])",
        ),
        (
            "@tf.function\ndef f(x):\n    return tf.concat([*x], 0)\n\n\nprint(f(tf.ones([2, 3])))\n",
            "[*x]",
            "tf.unstack(x)",
        ),
        ("w, x = tf.ones([3, 4]), tf.ones([4, 1])\nprint(w * x)\n", "w * x", "tf.matmul(w, x)"),
        ("w, d = np.ones((2, 3)), np.ones(3)\nh = np.ones(2)\nprint(h * (w * d))\n", "w * d", "w @ d"),
        ("m = np.matrix([[1.0], [2.0]])\nprint(m * (1 - m))\n", "m * (1 - m)", "np.multiply(m, 1 - m)"),
        (
            "counts, edges = np.histogram(np.random.rand(99), 30)\nprint(edges * counts)\n",
            "edges * counts",
            "(edges[:-1] + edges[1:]) / 2 * counts",
        ),
        (
            "x = np.ones(100)\nprint(np.abs(np.fft.rfft(x))[np.fft.fftfreq(100) > 0.1])\n",
            "np.fft.fftfreq",
            "np.fft.rfftfreq",
        ),
        ("x = np.ones(90)\nprint(x - np.convolve(x, np.ones(5), mode='valid'))\n", "'valid'", "'same'"),
        ("u, s, v = np.linalg.svd(np.ones((3, 3)))\nprint(np.linalg.pinv(s))\n", "pinv(s)", "pinv(np.diag(s))"),
        (
            "x, c = np.ones((9, 2)), np.ones((3, 2))\nprint(((x - c) ** 2).sum(axis=2))\n",
            "x - c)",
            "x[:, np.newaxis] - c)",
        ),
        (
            "from sklearn.svm import SVC\n\nSVC().fit(np.eye(2), [0, 1]).predict([0.5, 1])\n",
            "([0.5, 1])",
            "([[0.5, 1]])",
        ),
        (
            "layers.Conv2D(4, 3)\nk = tf.Variable(tf.random.truncated_normal([5, 5, 8, 3]))\n"
            "print(tf.nn.conv2d(tf.ones([2, 9, 9, 3]), k, 1, 'SAME'))\n",
            "8, 3])",
            "3, 8])",
        ),
        (
            "m = keras.Sequential([keras.Input((5, 8, 8, 3)), layers.Flatten(), layers.LSTM(4)])\n",
            "layers.Flatten()",
            "layers.TimeDistributed(layers.Flatten())",
        ),
        (
            "def rows():\n    yield np.ones((20, 3), np.float32)\n\n\n"
            "spec = tf.TensorSpec((None, 20, 3), tf.float32)\n"
            "next(iter(tf.data.Dataset.from_generator(rows, output_signature=spec)))\n",
            "(None, 20, 3)",
            "(20, 3)",
        ),
        (
            "sizes, x = [8, 6, 3], np.ones((8, 1))\n"
            "ws = [np.random.randn(m, n) for m, n in zip(sizes[:-1], sizes[1:])]\n"
            "for w in ws:\n    x = np.dot(w, x)\n",
            "randn(m, n)",
            "randn(n, m)",
        ),
        ("x, a = np.ones((9, 4)), np.eye(9)\nprint((x @ a).shape)\n", "x @ a", "a @ x"),
        (
            "x = keras.Input((101, 101, 3))\nh = layers.Conv2D(8, 3, padding='same')(x)\n"
            "layers.concatenate([layers.UpSampling2D()(layers.MaxPooling2D()(h)), h])\n",
            "(101, 101, 3)",
            "(100, 100, 3)",
        ),
        (
            "table = tf.random.normal([1, 64, 8])\nx = tf.ones([3, 40, 8])\nprint(x + table)\n",
            "+ table",
            "+ table[:, :x.shape[1]]",
        ),
        (
            "import jax\nw, xs = jax.numpy.zeros(6), jax.numpy.ones((40, 6))\n"
            "print(jax.vmap(lambda w, x: w @ x)(w, xs))\n",
            "w @ x)",
            "w @ x, in_axes=(None, 0))",
        ),
        (
            "import optax\nscores = tf.ones([8, 5]).numpy()\n"
            "print(optax.softmax_cross_entropy(scores, np.zeros(8, int)))\n",
            "entropy(",
            "entropy_with_integer_labels(",
        ),
        (
            "query, values = tf.ones([64, 10]), tf.ones([64, 16, 10])\nprint(query + values)\n",
            "query + values",
            "query[:, tf.newaxis] + values",
        ),
        (
            "rewards, q = np.ones(16), np.ones((16, 4))\nprint(rewards + 0.9 * q)\n",
            "0.9 * q",
            "0.9 * q.max(axis=1)",
        ),
        (
            "w = tf.Variable([1.0, 2.0])\nfor _ in range(3):\n    with tf.GradientTape() as tape:\n"
            "        loss = tf.reduce_sum(w * w)\n    w = w - 0.1 * tape.gradient(loss, w)\n",
            "w = w - 0.1 * tape.gradient(loss, w)",
            "w.assign_sub(0.1 * tape.gradient(loss, w))",
        ),
        (
            "rows = np.array([])\nfor _ in range(3):\n    rows = np.concatenate((rows, np.ones((2, 8))))\n",
            "np.array([])",
            "np.empty((0, 8))",
        ),
        (
            "x, mean, std = np.ones((5, 3, 8, 8)), np.ones(3), np.ones(3)\nprint((x - mean) / std)\n",
            "(x - mean) / std)",
            "(x - mean[..., np.newaxis, np.newaxis]) / std[..., np.newaxis, np.newaxis])",
        ),
        (
            "table = np.ones((9, 4))\nprint(np.concatenate([table, table[:, -1]], axis=1))\n",
            "table[:, -1]]",
            "table[:, -1:]]",
        ),
        (
            "a, b = np.ones((11, 3)), np.ones((6, 3))\nprint(np.sum((a - b) ** 2, axis=-1))\n",
            "(a - b)",
            "(a[:, np.newaxis] - b)",
        ),
        (
            "import jax.numpy as jnp\nlosses = [jnp.ones(()), jnp.ones(())]\nprint(jnp.mean(losses))\n",
            "mean(losses)",
            "mean(jnp.stack(losses))",
        ),
        (
            "rows = np.ones((30, 20, 3))\n"
            "model = keras.Sequential([layers.LSTM(4, input_shape=(rows.shape[1], 1))])\nmodel.predict(rows)\n",
            "rows.shape[1], 1)",
            "rows.shape[1], rows.shape[2])",
        ),
        ("rows = np.ones((3, 4))\nrows[0] = np.ones((4, 1))\n", "np.ones((4, 1))", "np.ones((4, 1))[:, 0]"),
        ("x = tf.ones([5, 8, 9, 3])\nprint(tf.transpose(x, [2, 0, 1]))\n", "[2, 0, 1]", "[0, 3, 1, 2]"),
        (
            "table = np.ones((50, 6))\nkeep = table.mean(axis=1) > 0.5\nprint(table[:, keep])\n",
            "axis=1",
            "axis=0",
        ),
        (
            "prices = np.ones(250)\nsteps = np.diff(prices)\nhigh = prices > 2.0\n"
            "print(np.where(high, steps, -steps))\n",
            "high = prices",
            "high = prices[1:]",
        ),
        (
            "x, w = np.ones((3, 9, 7)), np.ones((9, 4))\nprint(np.einsum('btd,dk->btk', x, w))\n",
            "btd,",
            "bdt,",
        ),
        (
            "a, b = keras.Input((20, 32)), keras.Input((30, 32))\nprint(layers.Dot(axes=1)([a, b]))\n",
            "axes=1",
            "axes=2",
        ),
        (
            "def dense(x, size, units):\n    w = tf.Variable(tf.zeros([size, units]))\n"
            "    return x @ w + tf.Variable(tf.zeros([size]))\n\n\ndense(dense(tf.ones([3, 4]), 4, 5), 5, 6)\n",
            "zeros([size]))",
            "zeros([units]))",
        ),
        (
            "LATENT = 100\nnet = keras.Sequential([keras.Input((LATENT,)), layers.Dense(4)])\n"
            "print(net(tf.random.normal((12, 10))))\n",
            "(12, 10)",
            "(12, LATENT)",
        ),
        (
            "def block(x, width):\n    y = layers.Conv2D(width, 3, padding='same')(x)\n"
            "    return layers.Add()([x, y])\n\n\n"
            "block(block(keras.Input((8, 8, 3)), 4), 6)\n",
            "Add()([x, y])",
            'Add()([layers.Conv2D(width, 1, padding="same")(x), y])',
        ),
        (
            "pictures = np.ones((16, 3, 32, 40))\n"
            "model = keras.Sequential([keras.Input((32, 40, 3)), layers.Conv2D(8, 3)])\n"
            "model.predict(pictures)\n",
            "predict(pictures)",
            "predict(np.transpose(pictures, (0, 2, 3, 1)))",
        ),
        (
            "x = tf.ones([4, 50, 8])\nprint(x + tf.zeros([tf.shape(x)[0], 8]))\n",
            "tf.shape(x)[0]",
            "tf.shape(x)[1]",
        ),
        (
            "scores, kinds = tf.nn.log_softmax(tf.ones([9, 5])), tf.zeros([9], tf.int32)\nprint(scores * kinds)\n",
            "scores * kinds",
            "scores * tf.one_hot(kinds, 5)",
        ),
    ],
)
def test_first_fix(body: str, before: str, after: str) -> None:
    assert body.count(before) == 1
    assert first_fix(body) == body.replace(before, after)


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
    ],
)
def test_first_fix_for_torch(body: str, before: str, after: str) -> None:
    assert body.count(before) == 1
    (found, *_) = findings(TORCH + body)
    assert edited(found.fix) == TORCH + body.replace(before, after)


def test_a_last_layer_gives_a_score_for_each_class() -> None:
    body = """labels = np.zeros((40, 3))
model = keras.Sequential([keras.Input((4,)), layers.Dense(1, activation="sigmoid")])
model.compile(loss="categorical_crossentropy")
model.fit(np.zeros((40, 4)), labels)
"""
    found = next(each for each in findings(HEAD + body) if each.name == "cross-entropy-mismatch")
    assert edited(found.fix) == HEAD + body.replace('Dense(1, activation="sigmoid")', 'Dense(3, activation="softmax")')


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


def test_the_maps_of_a_generator_are_scaled_with_its_pictures() -> None:
    text = """picture = keras.Input((32, 32, 3))
judge = keras.Model(picture, layers.Dense(1)(layers.Flatten()(picture)))
x = layers.Dense(16 * 7 * 7)(keras.Input((10,)))
x = layers.Reshape((7, 7, 16))(x)
x = layers.Conv2D(3, 3, padding="same")(layers.UpSampling2D(4)(x))
print(judge(x))
"""
    assert first_fix(text) == text.replace("7 * 7", "8 * 8").replace("(7, 7", "(8, 8")


def test_maps_are_flattened_alike_wherever_that_is_written() -> None:
    text = "w = tf.ones([7*7*4, 2])\nprint(tf.reshape(tf.ones([9, 8, 8, 4]), [-1, 7*7*4]) @ w)\n"
    assert first_fix(text) == text.replace("7*7*4", "8*8*4")


def test_all_windows_are_scaled_as_rows() -> None:
    text = """from sklearn.preprocessing import MinMaxScaler

x = np.ones((20, 5, 6))
y = MinMaxScaler().fit_transform(x)
"""
    assert first_fix(text) == text.replace("(x)", "(x.reshape(-1, x.shape[-1])).reshape(x.shape)")


def test_a_table_is_not_transposed_because_it_may_have_as_many_rows_as_columns_are_wanted() -> None:
    text = """from sklearn.preprocessing import MinMaxScaler

scaler = MinMaxScaler().fit(np.ones((9, 4)))
print(scaler.inverse_transform(np.ones((int(input()), 1))))
"""
    assert first_fix(text) is None


def test_what_is_computed_after_a_tape_moves_into_it() -> None:
    body = (
        "w = tf.Variable(tf.ones([3]))\n"
        "with tf.GradientTape() as tape:\n    y = w * 2.0\n"
        "loss = tf.reduce_sum(y)\n"
        "keras.optimizers.SGD(0.1).apply_gradients([(tape.gradient(loss, w), w)])\n"
    )
    assert first_fix(body) == body.replace("loss = tf", "    loss = tf")


def test_an_object_is_made_before_the_function() -> None:
    body = (
        "w = tf.Variable(1.0)\n\n\n@tf.function\ndef step(x):\n    opt = keras.optimizers.SGD(0.1)\n"
        "    opt.apply_gradients([(x, w)])\n    return x\n\n\nstep(tf.constant(1.0))\nstep(tf.constant([1.0])[0])\n"
    )
    found = first_fix(body)
    line = "opt = keras.optimizers.SGD(0.1)\n"
    assert found in (None, body.replace(f"    {line}", "").replace("@tf", f"{line}\n\n@tf"))


def test_a_list_of_a_graph_loop_becomes_an_array() -> None:
    body = """@tf.function
def f(x):
    found = []
    for value in x:
        found.append(2.0 * value)
    return tf.stack(found)


f(tf.ones([3]))
"""
    fixed = first_fix(body)
    assert fixed is not None
    assert "found = tf.TensorArray(tf.float32, size=0, dynamic_size=True)" in fixed
    assert "found = found.write(found.size(), 2.0 * value)" in fixed
    assert "return found.stack()" in fixed


def test_the_shape_of_what_python_returns_is_told() -> None:
    body = """def made(n):
    return np.zeros((16, 16, 3), "float32")


def picture(n):
    found = tf.numpy_function(made, [n], tf.float32)
    print(found.dtype)
    return tf.image.resize(found, [8, 8])


tf.data.Dataset.range(3).map(picture)
"""
    line = "    found = tf.numpy_function(made, [n], tf.float32)\n"
    assert first_fix(body) == body.replace(line, f"{line}    found.set_shape([16, 16, 3])\n")


def test_losses_that_are_averaged_over_replicas_are_those_of_the_samples() -> None:
    body = """each = tf.abs(tf.ones([8]))
total = tf.reduce_sum(each)
loss = tf.nn.compute_average_loss(total, global_batch_size=8)
"""
    assert first_fix(body) == body.replace("average_loss(total", "average_loss(each")


def test_every_use_of_a_name_is_mended_where_it_is_bound() -> None:
    body = (
        "rows = np.zeros((60, 1, 28))\n"
        "model = keras.Sequential([keras.Input((28,)), layers.Dense(1)])\n"
        "model.compile(loss='mse')\n"
        "model.fit(rows, np.zeros((60, 1)))\n"
        "model.predict(rows)\n"
    )
    line = "rows = np.zeros((60, 1, 28))\n"
    assert first_fix(body) == body.replace(line, f"{line}rows = np.squeeze(rows, axis=1)\n")


def test_two_faults_of_one_call_are_mended_together() -> None:
    body = (
        "x = np.zeros((30, 4, 5))\n"
        "model = keras.Sequential([keras.Input((20,)), layers.Dense(3, activation='softmax')])\n"
        "model.compile(loss='categorical_crossentropy')\n"
        "model.fit(x, np.zeros(30))\n"
    )
    sparse = body.replace("'categorical", "'sparse_categorical")
    assert first_fix(body) == sparse.replace("fit(x", "fit(x.reshape(len(x), -1)")


@pytest.mark.parametrize(
    "body",
    [
        "x = np.random.rand(3, 4) + np.random.rand(3, 5)\n",  # sizes of data are facts
        "batch_size = 3\nx = np.ones((batch_size, 2)) @ np.ones((7, 5))\n",
    ],
)
def test_a_fact_about_data_is_not_changed(body: str) -> None:
    assert first_fix(body) is None


def test_a_fix_of_a_rule_that_does_not_help_is_withdrawn() -> None:
    body = "x = tf.ones([2, 3])\nprint(tf.matmul(x, tf.ones([3])) + tf.ones([7]))\n"
    (untried, *_), (tried, *_) = findings(HEAD + body, fixes=0), findings(HEAD + body)
    assert untried.fix is not None
    assert tried.fix is None or tried.fix.is_tried


def test_a_name_that_is_bound_later_is_not_read() -> None:
    body = (
        "size = 4\n\n\ndef make():\n    return np.zeros((size, 2))\n\n\n"
        "buffer = make()\nrows = np.ones((5, 2))\nprint(rows + buffer)\n"
    )
    assert "rows.shape" not in (first_fix(body) or "")


def test_scores_that_are_one_number_get_an_axis() -> None:
    text = "import optax\noptax.softmax_cross_entropy_with_integer_labels(tf.ones([]).numpy(), np.zeros((), int))\n"
    assert first_fix(text) == text.replace("numpy()", "numpy()[np.newaxis]")


def test_an_option_that_stands_alone_gets_its_opposite_value() -> None:
    body = (
        "build = tf.function(autograph=False)\n\n\n@build\ndef f(x):\n    if tf.reduce_sum(x) > 0.0:\n"
        "        x = -x\n    return x\n\n\nf(tf.ones([2]))\n"
    )
    (found,) = findings(HEAD + body, fixes=9)
    assert HEAD + body.replace("False", "True") in map(edited, found.fixes)


def test_nothing_is_tried_where_nothing_is_wanted() -> None:
    assert all(not fix.is_tried for finding in findings(HEAD + MODEL, fixes=0) for fix in finding.fixes)


def test_edits_of_lines_between_two_texts() -> None:
    before, after = Source("a.py", "a\n\x0cb\nc"), Source("a.py", "a\n\x0cx\ny\nc\n")
    edits = edits_between(before, after)
    assert before.edited([(edit.place.start, edit.place.end, edit.text) for edit in edits]).text == after.text


def test_cells_move_with_the_lines_that_edits_add() -> None:
    source = Source("a.ipynb", "a = 1\nb = 2\nc = 3\n", (Cell(1, 1, 2), Cell(2, 3, 3)))
    after = source.edited([(5, 5, "\na = 5\na = 6"), (12, 13, "x")])
    assert after.text == "a = 1\na = 5\na = 6\nb = 2\nx = 3\n"
    assert after.cells == (Cell(1, 1, 4), Cell(2, 5, 5))
