"""Repairs of operations on arrays: the first one is what an author would do."""

from __future__ import annotations

import pytest

from tests.support.repairs import first_fix


@pytest.mark.parametrize(
    ("body", "before", "after"),
    [
        ("x = np.zeros((3, 4))\nprint(x @ np.zeros((5, 4)))\n", "np.zeros((5, 4)))", "np.zeros((5, 4)).T)"),
        ("x, w = tf.ones([3, 4]), tf.ones([5, 4])\nprint(tf.matmul(x, w))\n", "x, w))", "x, w, transpose_b=True))"),
        ("x = np.ones((3, 4))\nprint(x - x.mean(axis=1))\n", "axis=1", "axis=1, keepdims=True"),
        ("print(np.sum(np.ones((3, 4)), axes=(0, 1)))\n", "axes=", "axis="),
        ("print(tf.keras.layers.Dense(3, activaton=None)(tf.ones([2, 5])))\n", "activaton", "activation"),
        ("p = np.ones((9, 4)) / 4\nprint(np.mean(-np.sum(p * np.log(p))))\n", "np.log(p))", "np.log(p), axis=-1)"),
        (
            "from scipy.optimize import minimize\nt = np.ones(9)\n\n\ndef f(p):\n    return (t - p[0]) ** 2\n\n\n"
            "minimize(f, [1.0])\n",
            "return (t - p[0]) ** 2",
            "return np.sum((t - p[0]) ** 2)",
        ),
        (
            "w, x, y = np.zeros((4, 3)), np.ones((9, 4)), np.ones((9, 3))\nfor step in range(500):\n"
            "    w = w.T - 0.1 * (x @ w - y).T @ x\n",
            "w.T - 0.1 * (x @ w - y).T @ x",
            "(w.T - 0.1 * (x @ w - y).T @ x).T",
        ),
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
            "import pandas as pd\nrow = [1, 2]\nprint(pd.DataFrame(row, columns=['a', 'b']))\n",
            "(row,",
            "([row],",
        ),
        (
            "a = np.vstack([np.ones(9), np.zeros(9)])\nprint(np.linalg.lstsq(a, np.ones(9)))\n",
            "lstsq(a,",
            "lstsq(a.T,",
        ),
        (
            "from scipy.fft import rfft, rfftfreq\nsignal = np.ones(64)\nparts = rfft(signal)\n"
            "parts[rfftfreq(len(parts)) > 1] = 0\n",
            "len(parts)",
            "len(signal)",
        ),
        (
            "losses, mask = tf.ones([8, 20]), tf.ones([8, 20])\n"
            "each = tf.reduce_sum(losses * mask, axis=1)\nprint(each / tf.reduce_sum(mask, axis=0))\n",
            "axis=0",
            "axis=1",
        ),
        (
            "words = tf.ones([16, 30, 50])\nprint(tf.reduce_mean(words, axis=2) @ tf.Variable(tf.ones([50, 2])))\n",
            "axis=2",
            "axis=1",
        ),
        (
            "x = np.random.rand(90)\nmeans = np.convolve(x, np.ones(9) / 9, mode='valid')\n"
            "print(means + np.array([x[i:i + 9].std() for i in range(len(x) - 9)]))\n",
            "range(len(x) - 9)",
            "range(len(x) - 9 + 1)",
        ),
        ("q = k = np.ones((3, 5, 4))\nprint(q @ k.T)\n", "k.T)", "k.swapaxes(-2, -1))"),
        ("x = np.ones((9, 28, 28))\nprint(x @ np.ones((784, 10)))\n", "print(x @", "print(x.reshape(len(x), -1) @"),
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
            "def dense(x, size, units):\n    w = tf.Variable(tf.zeros([size, units]))\n"
            "    return x @ w + tf.Variable(tf.zeros([size]))\n\n\ndense(dense(tf.ones([3, 4]), 4, 5), 5, 6)\n",
            "zeros([size]))",
            "zeros([units]))",
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
        (
            "w, d, a, x = np.ones((1, 4)), np.ones((1, 3)), np.ones((4, 3)), np.ones((2, 3))\n"
            "print(np.ones((4, 2)) - np.dot(np.dot(w.T, d), 1 - a**2) @ x.T)\n",
            "np.dot(np.dot",
            "np.multiply(np.dot",
        ),
        (
            "path = np.ones((9, 2))\nprint(path[:, 1] ** 2 - np.cos(path[0]))\n",
            "path[0]",
            "path[:, 0]",
        ),
        (
            "points, centres = np.ones((9, 3)), np.ones((4, 3))\ndiff = points - centres\n"
            "print((diff**2).sum(axis=-1).argmin(axis=1))\n",
            "points - centres",
            "points[:, np.newaxis] - centres",
        ),
        (
            "age, pay, kinds = np.ones(9), np.ones(9), np.ones((9, 4))\nprint(np.hstack([age, pay, kinds]))\n",
            "hstack",
            "column_stack",
        ),
        (
            "from scipy.interpolate import interp1d\nt, found = np.linspace(0, 1, 9), np.ones((9, 3))\n"
            "print(interp1d(t, found)(0.5))\n",
            "t, found)(",
            "t, found, axis=0)(",
        ),
        (
            "grades, weights = np.ones((9, 4)), np.ones(4)\nprint(np.average(grades, axis=0, weights=weights))\n",
            "axis=0",
            "axis=-1",
        ),
        (
            "points, centres = np.ones((9, 2)), np.ones((4, 2))\nprint(points[:, None] - centres[:, None])\n",
            "centres[:, None]",
            "centres",
        ),
        (
            "def slope(x, y, w):\n    return x.T @ (y - np.exp(x * w))\n\n\nw = np.ones((3, 1))\n"
            "for _ in range(9):\n    w = w - slope(np.ones((40, 3)), np.ones((40, 1)), w)\n",
            "x * w",
            "x @ w",
        ),
        (
            "table = np.ones((60, 4))\nprint(np.append(np.ones((50, 1)).astype(int), table, axis=1))\n",
            "(50, 1)",
            "(table.shape[0], 1)",
        ),
        (
            "def windows(table, n):\n    found = []\n    for i in range(len(table) - n):\n"
            "        found.append(table[i : i + n, 0])\n    return np.array(found)\n\n\n"
            "table, n = np.genfromtxt('a.csv', delimiter=',')[:, :3], 5\n"
            "a, b = windows(table[:60], n), windows(table[60:], n)\n"
            "a = np.reshape(a, (a.shape[0], n, 3))\nb = np.reshape(b, (b.shape[0], n, 3))\n",
            "n, 0]",
            "n, :]",
        ),
        (
            "from sklearn.linear_model import Ridge\nfrom sklearn.model_selection import train_test_split\n"
            "a, b, c, d = train_test_split(np.ones((80, 3)), np.zeros(80, int), test_size=0.25)\n"
            "Ridge().fit(a, b).predict(c)\n",
            "a, b, c, d",
            "a, c, b, d",
        ),
        (
            "from sklearn.linear_model import LogisticRegression\nfrom sklearn.metrics import accuracy_score\n"
            "from sklearn.model_selection import train_test_split\n"
            "x_train, x_test, y_train, y_test = train_test_split(np.ones((80, 3)), np.zeros(80, int))\n"
            "found = LogisticRegression().fit(x_train, y_train).predict(x_test)\n"
            "print(accuracy_score(y_train, found))\n",
            "score(y_train",
            "score(y_test",
        ),
        (
            "w1, w2 = np.ones((2, 3)), np.ones((1, 3))\na = w1 @ np.ones(3)\nprint(w2 @ np.append(1, a))\n"
            "for step in range(3):\n    delta = (w2.T @ np.ones(1)) * a\n    w1 = w1 - np.outer(delta, np.ones(3))\n",
            "(w2.T @ np.ones(1)) * a",
            "(w2.T @ np.ones(1))[1:] * a",
        ),
        (
            "t = np.linspace(0, 1, 9)\ny = np.ones(9)\np = np.polyfit(t, y, 2)\nprint(y - p)\n",
            "y - p)",
            "y - np.polyval(p, t))",
        ),
        (
            "from scipy.interpolate import interp1d\nt = np.linspace(0, 1, 9)\nspeed = np.diff(t**2)\n"
            "print(interp1d(t, speed))\n",
            "(t, speed)",
            "(t[1:], speed)",
        ),
        (
            "size, hidden_size, output_size = 6, 5, 2\nx = np.ones((7, 4))\nw1 = np.random.randn(size, hidden_size)\n"
            "input_size = 3\nw0 = np.random.randn(input_size, size)\nprint(x @ w0 @ w1)\n",
            "input_size = 3",
            "input_size = 4",
        ),
        (
            "channels = 3\npictures = np.empty((9, 8, 8))\nfor i in range(9):\n"
            "    pictures[i] = np.ones((8, 8, channels))\n",
            "(9, 8, 8)",
            "(9, 8, 8, channels)",
        ),
        (
            "x = np.ones((7, 3, 2))\nwidth = 1\nx = x.reshape((x.shape[0], x.shape[1], width))\n",
            "width = 1",
            "width = 2",
        ),
        (
            "from sklearn.preprocessing import MinMaxScaler\nscaler = MinMaxScaler()\n"
            "scaled = scaler.fit_transform(np.ones((9, 2)))\n"
            "print(scaler.inverse_transform(scaled[:, 1].reshape(-1, 1)))\n",
            "scaled[:, 1].reshape(-1, 1))",
            "scaled)[:, 1]",
        ),
        (
            "from sklearn.preprocessing import MinMaxScaler\nscaler = MinMaxScaler()\n"
            "table = scaler.fit_transform(np.ones((9, 3)))\ntarget = table[:, 2]\nguess = np.ones((9, 1))\n"
            "print(scaler.inverse_transform(guess))\n",
            "scaler.inverse_transform(guess)",
            "scaler.inverse_transform(np.repeat(guess, 3, axis=1))[:, 2]",
        ),
        (
            "from sklearn.linear_model import LinearRegression\nx = [1, 2, 3, 4]\nmodel = LinearRegression()\n"
            "model.fit([x], [[5, 6, 7, 8]])\nprint(model.predict([[9]]))\n",
            "fit([x], [[5, 6, 7, 8]])",
            "fit(np.array(x).reshape(-1, 1), [5, 6, 7, 8])",
        ),
        (
            "import pandas as pd\nfrom sklearn.linear_model import Ridge\n"
            "a = pd.get_dummies(pd.DataFrame({'kind': ['p', 'q', 'r']}))\n"
            "b = pd.get_dummies(pd.DataFrame({'kind': ['p', 'q']}))\nmodel = Ridge().fit(a.values, np.ones(3))\n"
            "print(model.predict(b.values))\n",
            "'q']}))\nmodel",
            "'q']})).reindex(columns=a.columns, fill_value=0)\nmodel",
        ),
        (
            "from sklearn.ensemble import RandomForestClassifier\nfrom sklearn.metrics import accuracy_score\n"
            "from sklearn.model_selection import train_test_split\n"
            "x_train, x_test, y_train, y_test = train_test_split(np.ones((80, 3)), np.zeros(80, int), test_size=0.25)\n"
            "trees = RandomForestClassifier().fit(x_train, y_train)\nguess = trees.predict(x_train)\n"
            "print(accuracy_score(y_test, guess))\n",
            "predict(x_train)",
            "predict(x_test)",
        ),
        (
            "t = np.linspace(0, 9, 80)\ny = np.sin(t)\nsmooth = np.convolve(y, np.ones(5) / 5)\nprint(y - smooth)\n",
            "np.ones(5) / 5)",
            'np.ones(5) / 5, mode="same")',
        ),
        (
            "picture = np.ones((64, 64, 4))\nprint(picture - np.array([0.4, 0.5, 0.6]))\n",
            "(picture -",
            "(picture[..., :3] -",
        ),
        (
            "values = np.ones(1000)\nprint(values.reshape(-1, 7))\n",
            "values.reshape",
            "values[: len(values) // 7 * 7].reshape",
        ),
        (
            "import jax\nimport jax.numpy as jnp\n\n\ndef cell(h, x):\n    h = h + x\n    return h, h\n\n\nbatch = 8\n"
            "print(jax.lax.scan(cell, jnp.zeros(5), jnp.ones((12, batch, 5))))\n",
            "jnp.zeros(5)",
            "jnp.zeros((batch, 5))",
        ),
        (
            "import jax\nimport jax.numpy as jnp\n\n\ndef loss(w, x):\n    return -x * w\n\n\nw = jnp.ones(4)\n"
            "for _ in range(3):\n    w = w - jax.grad(loss)(w, jnp.ones(4))\n",
            "-x * w",
            "jnp.mean(-x * w)",
        ),
        (
            "from flax import linen as nn\nimport jax.numpy as jnp\n\n\nclass Net(nn.Module):\n    @nn.compact\n"
            "    def __call__(self, x):\n        x = nn.Conv(4, (3, 3))(x)\n        return nn.Dense(10)(x)\n\n\n"
            "net, x = Net(), jnp.ones((16, 8, 8, 1))\nweights = net.init(jnp.ones(2), x)\n"
            "print(jnp.ones((16, 10)) * net.apply(weights, x))\n",
            "nn.Dense(10)(x)",
            "nn.Dense(10)(x.reshape((x.shape[0], -1)))",
        ),
    ],
)
def test_first_fix(body: str, before: str, after: str) -> None:
    assert body.count(before) == 1
    assert first_fix(body) == body.replace(before, after)


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


def test_losses_that_are_averaged_over_replicas_are_those_of_the_samples() -> None:
    body = """each = tf.abs(tf.ones([8]))
total = tf.reduce_sum(each)
loss = tf.nn.compute_average_loss(total, global_batch_size=8)
"""
    assert first_fix(body) == body.replace("average_loss(total", "average_loss(each")


@pytest.mark.parametrize(
    "body",
    [
        "x = np.random.rand(3, 4) + np.random.rand(3, 5)\n",  # sizes of data are facts
        "batch_size = 3\nx = np.ones((batch_size, 2)) @ np.ones((7, 5))\n",
    ],
)
def test_a_fact_about_data_is_not_changed(body: str) -> None:
    assert first_fix(body) is None


def test_a_name_that_is_bound_later_is_not_read() -> None:
    body = (
        "size = 4\n\n\ndef make():\n    return np.zeros((size, 2))\n\n\n"
        "buffer = make()\nrows = np.ones((5, 2))\nprint(rows + buffer)\n"
    )
    assert "rows.shape" not in (first_fix(body) or "")


def test_scores_that_are_one_number_get_an_axis() -> None:
    text = "import optax\noptax.softmax_cross_entropy_with_integer_labels(tf.ones([]).numpy(), np.zeros((), int))\n"
    assert first_fix(text) == text.replace("numpy()", "numpy()[np.newaxis]")
