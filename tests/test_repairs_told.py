"""Repairs that the rest of a program tells: what it declares, pads, joins or measures elsewhere."""

from __future__ import annotations

import pytest

from tests.support.promises import edited
from tests.support.repairs import HEAD, findings

TORCH = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n"

PADDED = """from tensorflow.keras.preprocessing.sequence import pad_sequences
x = pad_sequences([[1, 2, 3], [4, 5]], maxlen=6)
model = keras.Sequential([keras.Input((6,)), layers.Embedding(9, 4), layers.Flatten(), layers.Dense(1)])
model.compile(loss="mse")
model.fit(x, np.zeros((2, 1)))
print(model.predict(np.array([[7, 8, 2, 1]])))
"""
MAPPED = """def spectrum(wave):
    return tf.abs(tf.signal.stft(wave, 64, 32))


data = tf.data.Dataset.from_tensor_slices(np.zeros((8, 640), "float32")).map(lambda wave: spectrum(wave)).batch(4)
for batch in data.take(1):
    shape = batch.shape[1:]
model = keras.Sequential([keras.Input(shape), layers.Conv2D(4, 3)])
"""
TURNED = """model = keras.Sequential([keras.Input((90, 7)), layers.Dense(4), layers.Dense(1)])
model.compile(loss="mse")
model.fit(np.zeros((20, 7, 90)), np.zeros((20, 90, 1)))
"""
SHALLOW = """from keras.layers import Dense
model = keras.Sequential()
model.add(Dense(8, input_shape=(6, 4)))
model.add(Dense(2, activation="softmax"))
model.compile(loss="sparse_categorical_crossentropy")
model.fit(np.zeros((20, 6, 4)), np.zeros(20, int))
"""
DECODER = """pictures = np.zeros((20, 32, 32))
model = keras.Sequential([
    keras.Input((32, 32)), layers.Flatten(), layers.Dense(9), layers.Dense(784), layers.Reshape((28, 28))
])
model.compile(loss="mse")
model.fit(pictures, pictures)
"""
GROUPED = """rows, more, targets = np.zeros((20, 4)), np.zeros((20, 3)), np.zeros((20, 1))
first, second = keras.Input((4,)), keras.Input((3,))
model = keras.Model([first, second], layers.Dense(1)(layers.Concatenate()([first, second])))
model.compile(loss="mse")
model.fit(tf.data.Dataset.from_tensor_slices((rows, more, targets)).batch(5))
"""
HALVES = """model = keras.Sequential([keras.Input((4,)), layers.Dense(1)])
model.compile(loss="mse")
valid = np.ones((32, 1))
rows = np.zeros((16, 4))
print(model.train_on_batch(rows, valid))
"""
BILINEAR = """first, second = keras.Input((5,)), keras.Input((5,))


class Score(layers.Layer):
    def call(self, inputs):
        a, b = inputs
        return tf.matmul(a, tf.transpose(b))


print(layers.Dense(1)(Score()([first, second])))
"""
DIRECTIONS = """class Encoder(keras.Model):
    def __init__(self):
        super().__init__()
        self.gru = layers.Bidirectional(layers.GRU(4, return_state=True))

    def call(self, x):
        output, state = self.gru(x)
        return output, state


print(Encoder()(tf.ones([2, 3, 4])))
"""
POOLED = """base = keras.applications.VGG16(include_top=False, weights=None, pooling="avg", input_shape=(64, 64, 3))
model = keras.Sequential([base, layers.Conv2D(4, 1)])
"""
SINES = """angles = np.zeros((9, 4))
table = np.concatenate([np.sin(angles), np.cos(angles)], axis=0)
print(np.ones((9, 8)) + table[:9])
"""
FILTERS = """def layer(x, shape):
    weights, bias = tf.ones(shape), tf.constant(0.1, shape=[shape[2]])
    return tf.nn.conv2d(x, weights, 1, "SAME") + bias


print(layer(layer(tf.ones([2, 8, 8, 1]), [3, 3, 1, 6]), [3, 3, 6, 7]))
"""
CURVE = """from scipy.optimize import curve_fit
x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 4.0, 6.0, 9.0])
fine = np.linspace(1, 4, 30)


def line(t, a, b):
    return a * t + b


p, _ = curve_fit(line, x, y)
fitted = line(fine, *p)
print(np.sum((y - fitted) ** 2))
"""
SPEEDS = """t = np.linspace(0, 1, 50)
place = np.sin(t)
speed = np.diff(place) / np.diff(t)
print(np.column_stack((t, place, speed)))
"""
CODES = """codes = np.zeros((1, 100, 64))
x = np.ones((8, 30, 64))
print(x + codes[:, :, :30])
"""
ROW = """def train(rows, wanted, weights):
    for _ in range(3):
        error = wanted - rows @ weights
        weights += rows.T @ error
    return weights


wanted = np.array([[0.0, 1.0, 1.0, 0.0]])
print(train(np.ones((4, 3)), wanted, np.ones((3, 1))))
"""
SOFTMAX = """def softmax(x):
    e = np.exp(x - np.max(x, axis=1))
    return e / np.sum(e, axis=1)


print(softmax(np.ones((6, 4))).sum(axis=1))
"""
DICE = """def dice(wanted, given):
    both = tf.reduce_sum(wanted * given, axis=[1, 2, 3])
    return both / (tf.reduce_sum(wanted, axis=[1, 2, 3]) + tf.reduce_sum(given, axis=[1, 2, 3]))


mask = np.ones((4, 9, 9), "float32")
print(dice(mask, tf.ones([4, 9, 9, 1])))
"""
SCORE = """model = keras.Sequential([keras.Input((4,)), layers.Dense(2, activation="sigmoid")])
model.compile(loss="binary_crossentropy")
model.fit(np.zeros((9, 4)), np.zeros((9, 1)))
"""
GRAM = """def gram(maps):
    flat = tf.reshape(maps, [-1, maps.shape[-1]])
    return tf.matmul(flat, tf.transpose(flat))


print(gram(tf.ones([1, 8, 8, 5])) - gram(tf.ones([1, 6, 6, 5])))
"""
VALUES = """x, fine = np.linspace(0, 1, 9), np.linspace(0, 1, 90)
y = x**2
fit = np.polyval(np.polyfit(x, y, 2), fine)
print(np.mean(y - fit))
"""
NUMBERED = """n_in, n_1, n_2, n_out = 9, 8, 7, 3
weights = {
    "first": tf.Variable(tf.random.normal([n_in, n_1])),
    "second": tf.Variable(tf.random.normal([n_1, n_2])),
    "last": tf.Variable(tf.random.normal([n_1, n_out])),
}
biases = {"first": tf.Variable(tf.random.normal([n_1])), "second": tf.Variable(tf.random.normal([n_2]))}
first = tf.nn.relu(tf.matmul(tf.ones([5, n_in]), weights["first"]) + biases["first"])
second = tf.nn.relu(tf.matmul(first, weights["second"]) + biases["second"])
print(tf.matmul(second, weights["last"]))
"""
WORDS = """from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

counter = CountVectorizer()
judge = MultinomialNB().fit(counter.fit_transform(["good film", "bad film"]), [1, 0])
new = CountVectorizer().fit_transform(["good"])
print(judge.predict(new))
"""
HIGHER = """prices = np.ones(50)
steps = np.diff(prices)
high = prices > 2.0
print(np.where(high, steps, -steps))
"""
MISSPELT = """def scaled(x, factor=2.0):
    return x * factor


print(scaled(np.ones((3, 4)), factr=1.0))
print(np.ones((3, 4)) + np.ones((5, 4)))
"""
FORECASTS = """import pandas as pd
forecast = np.zeros((20, 1))
print(pd.DataFrame({"day": np.arange(20), "forecast": forecast}))
"""
SOBEL = """edges = torch.tensor([[1.0, 0.0], [0.0, -1.0]]).view(1, 1, 2, 2)
print(F.conv2d(torch.rand(1, 3, 9, 9), edges))
"""
STATES = """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 6, batch_first=True)

    def forward(self, x):
        h = torch.zeros(1, x.size(1), 6)
        c = torch.zeros(1, x.size(1), 6)
        return self.lstm(x, (h, c))


print(Net()(torch.ones(5, 7, 4)))
"""
SKIP = """class Up(nn.Module):
    def forward(self, x, skip):
        x = F.interpolate(x, scale_factor=2)
        return torch.cat([skip, x], dim=1)


print(Up()(torch.ones(1, 4, 5, 5), torch.ones(1, 4, 11, 11)))
"""
NOISE = """net = nn.ConvTranspose2d(20, 4, 4)
noise = torch.randn(8, 20)
print(net(noise))
"""


@pytest.mark.parametrize(
    ("body", "changes"),
    [
        (PADDED, {"np.array([[7, 8, 2, 1]])": "pad_sequences([[7, 8, 2, 1]], maxlen=6)"}),
        (MAPPED, {"tf.abs(tf.signal.stft(wave, 64, 32))": "tf.abs(tf.signal.stft(wave, 64, 32))[..., tf.newaxis]"}),
        (TURNED, {"np.zeros((20, 7, 90))": "np.transpose(np.zeros((20, 7, 90)), (0, 2, 1))"}),
        (
            SHALLOW,
            {
                "import Dense": "import Dense, Flatten",
                "model.add(Dense(8, input_shape=(6, 4)))": (
                    "model.add(Flatten(input_shape=(6, 4)))\nmodel.add(Dense(8))"
                ),
            },
        ),
        (DECODER, {"Dense(784)": "Dense(32 * 32)", "Reshape((28, 28))": "Reshape((32, 32))"}),
        (GROUPED, {"((rows, more, targets))": "(((rows, more), targets))"}),
        (HALVES, {"(rows, valid)": "(rows, valid[: len(rows)])"}),
        (BILINEAR, {"tf.matmul(a, tf.transpose(b))": "tf.reduce_sum(a * b, axis=-1, keepdims=True)"}),
        (
            DIRECTIONS,
            {
                "output, state = self.gru(x)": (
                    "output, forward_state, backward_state = self.gru(x)\n"
                    "        state = tf.concat([forward_state, backward_state], axis=-1)"
                )
            },
        ),
        (POOLED, {', pooling="avg"': ""}),
        (SINES, {"axis=0": "axis=-1"}),
        (FILTERS, {"shape[2]": "shape[-1]"}),
        (CURVE, {"y - fitted": "y - line(x, *p)"}),
        (SPEEDS, {"(t, place, speed)": "(t[1:], place[1:], speed)"}),
        (SCORE, {"Dense(2": "Dense(1"}),
        (GRAM, {"(flat, tf.transpose(flat))": "(tf.transpose(flat), flat)"}),
        (VALUES, {"y - fit": "y - np.polyval(np.polyfit(x, y, 2), x)"}),
        (NUMBERED, {"[n_1, n_out]": "[n_2, n_out]"}),
        (WORDS, {"CountVectorizer().fit_transform": "counter.transform"}),
        (HIGHER, {"high = prices": "high = prices[1:]"}),
        (CODES, {"[:, :, :30]": "[:, :30, :]"}),
        (ROW, {"[[0.0, 1.0, 1.0, 0.0]])": "[[0.0, 1.0, 1.0, 0.0]]).T"}),
        (
            SOFTMAX,
            {
                "np.max(x, axis=1)": "np.max(x, axis=1, keepdims=True)",
                "sum(e, axis=1)": "sum(e, axis=1, keepdims=True)",
            },
        ),
        (DICE, {"dice(mask,": "dice(mask[..., np.newaxis],"}),
        (MISSPELT, {"factr=": "factor="}),
        (FORECASTS, {": forecast}": ": np.squeeze(forecast, axis=-1)}"}),
    ],
)
def test_programs_of_arrays_and_models(body: str, changes: dict[str, str]) -> None:
    assert _first_fix(HEAD, body) == _changed(body, changes)


@pytest.mark.parametrize(
    ("body", "changes"),
    [
        (SOBEL, {"edges))": "edges.repeat(3, 1, 1, 1), groups=3))"}),
        (STATES, {"x.size(1)": "x.size(0)"}),
        (
            SKIP,
            {"[skip, x]": '[skip, F.interpolate(x, size=skip.shape[-2:], mode="bilinear", align_corners=False)]'},
        ),
        (NOISE, {"randn(8, 20)": "randn(8, 20, 1, 1)"}),
    ],
)
def test_programs_of_modules(body: str, changes: dict[str, str]) -> None:
    assert _first_fix(TORCH, body) == _changed(body, changes)


def test_a_target_is_not_what_the_model_gives_for_it() -> None:
    body = """net = nn.Conv2d(3, 1, 3, padding=1)
pictures, masks = torch.ones(2, 3, 8, 8), torch.ones(2, 3, 8, 8)
print(nn.BCEWithLogitsLoss()(net(pictures), masks))
"""
    (found, *_) = findings(TORCH + body, fixes=9)
    assert all("net(masks)" not in edited(fix) for fix in found.fixes)


def _first_fix(head: str, body: str) -> str:
    (found, *_) = findings(head + body)
    return edited(found.fix).removeprefix(head)


def _changed(body: str, changes: dict[str, str]) -> str:
    for before, after in changes.items():
        assert before in body
        body = body.replace(before, after)
    return body
