"""Calls that a summary answers: what is found, and every shape that is known, is as if each call had been traced."""

from __future__ import annotations

import ast
import random
from collections import Counter
from pathlib import Path

import pytest

from shapecheck.checker.inspect import shapes_in
from shapecheck.checker.pipeline import check
from shapecheck.config import Config
from shapecheck.dataflow.calls import summaries
from shapecheck.source import Source

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
PROGRAMS = sorted(CORPUS.rglob("clean/*/main.py")) + sorted(CORPUS.rglob("buggy.py"))
DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)

GRADIENTS = """import tensorflow as tf

w = tf.Variable(tf.ones([3, 2]))
b = tf.Variable(tf.zeros([2]))


def loss_of(x, y):
    logits = tf.stop_gradient(tf.matmul(x, w)) + b
    errors = tf.square(logits - y)
    return tf.reduce_mean(tf.reduce_sum(errors, axis=1))


x, y = tf.ones([8, 3]), tf.ones([8, 2])
print(loss_of(x, y))
for _ in range(5):
    with tf.GradientTape() as tape:
        loss = loss_of(x, y)
    gradient = tape.gradient(loss, w)
    w.assign_sub(0.1 * gradient)
"""
TRACES = """import tensorflow as tf


class Agent(tf.Module):
    def __init__(self):
        self.w = tf.Variable(tf.ones([4, 2]))
        self.calls = 0

    def act(self, state):
        action = self.choose(tf.expand_dims(state, 0))
        return tf.squeeze(action, axis=0).numpy()

    @tf.function
    def choose(self, states):
        self.calls += 1
        scores = tf.nn.softmax(tf.matmul(states, self.w))
        return tf.one_hot(tf.argmax(scores, axis=1), 2 * self.calls)


def episode(agent, state):
    total = 0.0
    for _ in range(20):
        action = agent.act(state)
        total += action.sum()
    return total, action


for _ in range(3):
    agent = Agent()
    for _ in range(4):
        total, action = episode(agent, tf.ones([4]))
    print(agent.act(tf.ones([5])), total, action)
"""
COUNTERS = """import tensorflow as tf


class Doubler(tf.Module):
    def __init__(self):
        self.traces = 0

    @tf.function
    def __call__(self, x):
        self.traces += 1
        return tf.concat([x, x], axis=0) if self.traces == 1 else x


first = Doubler()
print(first(tf.ones([2])), first(tf.ones([2])), first(tf.ones([5])), first(tf.ones([2])))
second = Doubler()
print(second(tf.ones([2])), second(tf.ones([2])), second(tf.ones([5])), second(tf.ones([2])))
"""
LAYERS = """import tensorflow as tf
from tensorflow import keras


class Block(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.dense = keras.layers.Dense(units)
        self.norm = keras.layers.LayerNormalization()

    def call(self, x):
        return self.norm(tf.nn.relu(self.dense(x)) + x)


blocks = [Block(8) for _ in range(4)]
head = keras.layers.Dense(3)
optimizer = keras.optimizers.Adam()


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        for block in blocks:
            x = block(x)
        loss = tf.reduce_mean(tf.square(head(x) - y))
    weights = [w for block in blocks for w in block.trainable_variables] + head.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    return loss


for epoch in range(3):
    for _ in range(10):
        loss = step(tf.ones([16, 8]), tf.ones([16, 3]))
step(tf.ones([16, 7]), tf.ones([16, 3]))
"""

STATE = """import numpy as np


class Repeat:
    def __init__(self, times):
        self.times = times

    def __call__(self, x):
        y = (x - x.mean()) / x.std()
        return np.tile(y, self.times)


repeat = Repeat(2)
first, second = repeat(np.ones(3)), repeat(np.ones(3))
repeat.times = 5
third, fourth = repeat(np.ones(3)), repeat(np.ones(3))
print(first + second, third + fourth)
"""
MODELS = """import tensorflow as tf
from tensorflow import keras


class Repeat(keras.layers.Layer):
    def __init__(self, times):
        super().__init__()
        self.times = times

    def call(self, x):
        return tf.tile(x, [1, self.times])


def block(x, width):
    y = keras.layers.Dense(width)(x)
    y = keras.layers.BatchNormalization()(y)
    return keras.layers.Activation("relu")(y)


def built(width, repeat):
    inputs = keras.Input((8,))
    x = block(inputs, 16)
    for _ in range(3):
        x = keras.layers.add([x, block(x, 16)])
    return keras.Model(inputs, repeat(keras.layers.Dense(width)(x)))


repeat = Repeat(1)
small, wide = built(3, repeat), built(5, repeat)
shared = keras.layers.Dense(4)
for batch in (2, 2, 6):
    y = small(tf.ones([batch, 8]))
    z = wide(tf.ones([batch, 8]))
    print(y, z, shared(y))
small(tf.ones([2, 7]))
"""
ORIGINS = """import tensorflow as tf

w = tf.Variable(tf.ones([3, 2]))


def step(tape, loss):
    gradient = tape.gradient(loss, w)
    w.assign_sub(0.1 * gradient)
    return loss + 1.0


x = tf.ones([4, 3])
for _ in range(2):
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_sum(tf.matmul(x, w))
        other = tf.reduce_sum(tf.matmul(x, tf.ones([3, 2])))
    print(step(tape, loss))
    print(step(tape, loss))
    print(step(tape, other))
"""
ROWS = """import pandas as pd
from sklearn.linear_model import LinearRegression


def cleaned(table):
    inputs = table[["u", "v"]]
    inputs = inputs.dropna()
    return inputs.to_numpy()


first, second = pd.read_csv("first.csv"), pd.read_csv("second.csv")
x, z = cleaned(first), cleaned(second)
LinearRegression().fit(z, second["y"])
"""
REFINED = """import numpy as np
import tensorflow as tf


class Holder:
    def __init__(self, x):
        self.x = x


def made(n):
    return tf.numpy_function(lambda: np.zeros(n, np.float32), [], tf.float32)


def shifted(holder):
    scale = np.ones(4) + np.arange(4)
    return holder.x + float(scale.mean())


first, second, third = made(4), made(4), made(5)
holders = Holder(first), Holder(second), Holder(third)
third.set_shape([5])
a = shifted(holders[0])
b = shifted(holders[1])
c = shifted(holders[2])
"""
FRAMES = """import pandas as pd
from sklearn.linear_model import LinearRegression


def cleaned(table):
    inputs = table[["u", "v"]].dropna()
    targets = table["y"]
    return inputs.to_numpy(), targets.to_numpy()


first, second, third = pd.read_csv("first.csv"), pd.read_csv("second.csv"), pd.read_csv("third.csv")
u, v = cleaned(first)
x, y = cleaned(second)
z, t = cleaned(third)
LinearRegression().fit(z, t)
"""


def repeated(text: str) -> str:
    """Return a program that does all that it does three times."""
    lines = text.splitlines()
    body = [node for node in ast.parse(text).body if not isinstance(node, DEFINITIONS)]
    again = [line for node in body for line in lines[node.lineno - 1 : node.end_lineno]]
    return "\n".join((*lines, *again, *again, ""))


def told(text: str) -> tuple[Counter[tuple[str, int, str]], dict[tuple[int, ...], str]]:
    """Return what is found in a program, and the shapes of its expressions."""
    found = check(["-"], Config(fixes=0), stdin=text).findings
    shapes = {
        (each.row, each.column, each.end_row, each.end_column): each.shape
        for each in shapes_in(Source("-", text), Config())
    }
    return Counter((finding.code, finding.place.row, finding.message) for finding in found), shapes


def assert_summaries_change_nothing(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many calls a summary has answered. Alternatives for different contexts are joined in another order."""
    with monkeypatch.context() as patch:
        patch.setattr(summaries.Summaries, "result", lambda _self, _t, _function, given, trace: trace(given))
        found, shapes = told(text)
    answered: list[object] = []
    with monkeypatch.context() as patch:
        patch.setattr(summaries, "MIN_STEPS", 0)
        patch.setattr(summaries, "MAX_VAIN", 10**9)
        patch.setattr(summaries.Summaries, "_may_come_again", lambda *_: True)
        replayed = summaries.Summaries._replayed
        patch.setattr(
            summaries.Summaries, "_replayed", lambda *args: answered.append(result := replayed(*args)) or result
        )
        found_again, shapes_again = told(text)
    assert found_again == found
    assert shapes.keys() <= shapes_again.keys()  # more may be followed after a failure that is reported once
    several = {place for place, shape in shapes.items() if "|" in shape or "|" in shapes_again[place]}
    assert all(shapes_again[place] == shape for place, shape in shapes.items() if place not in several)
    return sum(result is not None for result in answered)


@pytest.mark.parametrize("program", [GRADIENTS, TRACES, COUNTERS, LAYERS, STATE, MODELS, REFINED, FRAMES])
def test_calls_of_tensors(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert assert_summaries_change_nothing(program, monkeypatch) > 1


@pytest.mark.parametrize("program", [ORIGINS, ROWS])
def test_calls_that_are_not_alike(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(program)[0]
    assert_summaries_change_nothing(program, monkeypatch)


@pytest.mark.parametrize("program", random.Random(3).sample(PROGRAMS, 16), ids=lambda path: path.parent.name)
def test_programs_that_repeat_themselves(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_summaries_change_nothing(repeated(program.read_text(encoding="utf-8")), monkeypatch)
