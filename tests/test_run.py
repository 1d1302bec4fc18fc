"""`shapecheck run`: programs run as they would alone, and their shapes are compared with the predictions."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HELPER = "import numpy as np\n\n\ndef twice(x):\n    return np.concatenate([x, x])\n"
PROGRAM = """
import sys
import numpy as np
from helper import twice

def rows(n):
    for at in range(n):
        yield np.ones((at + 1, 4))

class Base:
    def total(self):
        return np.zeros(3).sum()

class Derived(Base):
    def total(self):
        return super().total() + 1

x = np.zeros((2, 3))
left, *rest = twice(x)
x += 1
for row in rows(3):
    print(row.shape, end=" ")
print(Derived().total(), left.shape, len(rest), f"{x.sum()=}", sys.argv, __name__)
if x.any() and (size := len(x)) > 1: print(sorted(name for name in globals() if name in ("x", "size", "rest")))
"""


def run(folder: Path, program: str, *options: str, arguments: tuple[str, ...] = ()) -> tuple[int, str, str]:
    """Return exit status, output and errors of `shapecheck run` on a program."""
    script = folder / "program.py"
    script.write_text(program)
    command = [sys.executable, "-m", "shapecheck", "run", *options, str(script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=300)
    return done.returncode, done.stdout, done.stderr


def compared(folder: Path, program: str, *options: str, arguments: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the report on a program as an object."""
    _, output, errors = run(folder, program, "--output-format", "json", *options, arguments=arguments)
    assert output, errors
    report: dict[str, Any] = json.loads(output)
    return report


def level(report: dict[str, Any], text: str) -> str:
    """Return the level of the prediction for an expression."""
    found = {place["level"] for place in report["places"] if place["text"] == text}
    assert len(found) == 1, report["places"]
    return str(found.pop())


def test_a_program_runs_as_it_would_alone(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(HELPER)
    status, output, errors = run(tmp_path, PROGRAM, arguments=("a", "--b"))
    alone = subprocess.run(
        [sys.executable, str(tmp_path / "program.py"), "a", "--b"], capture_output=True, text=True, cwd=tmp_path
    )
    assert output.startswith(alone.stdout)
    assert status == 0, output + errors
    assert "helper.py" in output
    assert output.endswith("program: exit status 0\n")


def test_shapes_are_known(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(HELPER)
    report = compared(tmp_path, PROGRAM)
    assert report["counts"]["wrong"] == 0
    assert level(report, "twice(x)") == level(report, "super().total()") == "known"
    assert {place["seen"][0] for place in report["places"] if place["text"] == "np.ones((at + 1, 4))"} <= {1, 2, 3}


def test_a_wrong_prediction_is_found(tmp_path: Path) -> None:
    program = "import numpy as np\nx = np.zeros((2, 3))\nglobals()['x'] = x.T\ny = x + 1\n"
    status, output, _ = run(tmp_path, program)
    assert status == 1
    assert "program.py:4:5: x + 1: predicted (2, 3), observed (3, 2) (np)" in output


@pytest.mark.parametrize(
    ("end", "told", "own"),
    [
        ("raise ValueError('no')", "it raised ValueError: no", 1),
        ("import sys; sys.exit(3)", "exit status 3", 3),
        ("import os; os._exit(4)", "exit status 4", 4),
        ("import os; os.abort()", "killed by signal 6", -6),
    ],
)
def test_whatever_the_end_what_was_seen_counts(tmp_path: Path, end: str, told: str, own: int) -> None:
    report = compared(tmp_path, f"import numpy as np\nx = np.zeros((2, 3)).T\n{end}\n")
    assert (report["ending"], report["status"]) == (told, own)
    assert level(report, "np.zeros((2, 3)).T") == "known"


def test_tracebacks_show_the_program(tmp_path: Path) -> None:
    _, _, errors = run(tmp_path, "import numpy as np\n\nx = np.zeros(3)\ny = np.ones((2, 2)) + x\n")
    assert "line 4, in <module>" in errors
    assert "y = np.ones((2, 2)) + x" in errors
    assert "shapecheck" not in errors


def test_reasons_are_told(tmp_path: Path) -> None:
    program = "import numpy as np\nx = np.zeros(3)\nx = eval('x[:2]')\ny = x + 1\nz = x.reshape(-1, 1)[x > 0]\n"
    status, output, _ = run(tmp_path, program)
    assert status == 0
    assert "lost because of" in output


def test_a_log_replaces_the_run(tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = "import numpy as np\nprint('here')\nx = np.zeros(3)[1:]\n"
    first = run(tmp_path, program, "--log", str(log))
    again = run(tmp_path, program, "--log", str(log))
    assert "here" in first[1]
    assert "here" not in again[1]
    assert first[1].replace("here\n", "") == again[1]


def test_time_is_limited(tmp_path: Path) -> None:
    report = compared(tmp_path, "import numpy as np\nx = np.zeros(3)[1:]\nwhile True: pass\n", "--seconds", "1")
    assert report["ending"] == "time limit reached"
    assert level(report, "np.zeros(3)[1:]") == "known"


@pytest.mark.parametrize(
    ("program", "told"),
    [("print 'hello'\n", "Python 2 source"), ("x = (\n", "syntax error: '(' was never closed")],
)
def test_what_does_not_compile_is_not_started(tmp_path: Path, program: str, told: str) -> None:
    status, output, errors = run(tmp_path, program)
    assert f"program.py: {told}" in output
    assert status == 2
    assert errors.startswith('  File "') and "hook.py" not in errors


def test_a_log_is_that_of_the_program(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("nothing\n")
    status, _, errors = run(tmp_path, "x = 1\n", "--log", str(tmp_path / "log"))
    assert (status, "log does not record a run of" in errors) == (2, True)
    status, _, errors = run(tmp_path, "x = 1\n", "--log", str(tmp_path / "nowhere" / "log"))
    assert (status, "cannot write to" in errors) == (2, True)


def test_a_notebook_runs_cell_by_cell(tmp_path: Path) -> None:
    sources = [
        "%matplotlib inline\nimport numpy as np\nx = np.ones((2, 3))",
        "def f(x):\n    return x @ x",
        "f(x)",
        "    y = x.T\ndisplay(y.shape)",
        "\nf(y)",
        "print('never')",
    ]
    cells = [{"cell_type": "code", "source": source, "metadata": {}} for source in sources]
    cells[2]["metadata"] = {"tags": ["raises-exception"]}
    notebook = tmp_path / "program.ipynb"
    notebook.write_text(json.dumps({"cells": cells, "metadata": {}}))
    command = [sys.executable, "-m", "shapecheck", "run", str(notebook)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)
    assert done.stdout.startswith("(3, 2)\n")
    assert "never" not in done.stdout
    assert 'program.ipynb:cell 5", line 2, in <module>\n    f(y)\n' in done.stderr
    assert done.stderr.count('program.ipynb:cell 2", line 2, in f\n    return x @ x\nValueError') == 2
    assert "100.0%" in done.stdout


TENSORFLOW = """
import tensorflow as tf

weights = tf.Variable(tf.random.normal([10, 5]))

@tf.function
def forward(x, training=False):
    y = tf.matmul(x, weights)
    for at in tf.range(3):
        y = y + tf.cast(at, tf.float32)
    if tf.reduce_sum(y) > 0:
        y = tf.concat([y, y], 1)[:, :5]
    return tf.nn.softmax(y)

class Model(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(3)

    def call(self, x):
        return self.dense(x)

forward(tf.zeros([4, 10]))
forward(tf.zeros([6, 10]))
Model()(tf.zeros([7, 2]))
symbolic = tf.keras.layers.Conv2D(8, 3)(tf.keras.Input((28, 28, 1)))
data = tf.data.Dataset.from_tensor_slices(tf.zeros([9, 2])).map(lambda row: row[:1]).batch(4)
for batch in data:
    sums = tf.reduce_sum(batch, axis=1)

class Scaler(tf.Module):
    @tf.function
    def scaled(self, x):
        return 2.0 * x

scaler = Scaler()
scaler.scaled(tf.zeros([2]))
scaler.scaled(tf.zeros([3]))
"""


@pytest.mark.slow
def test_tensorflow_in_all_its_forms(tmp_path: Path) -> None:
    report = compared(tmp_path, TENSORFLOW)
    assert report["ending"] == "exit status 0"
    kinds = {place["text"]: place["kind"] for place in report["places"]}
    assert kinds["tf.matmul(x, weights)"] == kinds["row[:1]"] == "graph"
    assert kinds["tf.concat([y, y], 1)"] == "graph"
    assert kinds["tf.reduce_sum(batch, axis=1)"] == "tf"
    assert kinds["tf.keras.layers.Conv2D(8, 3)(tf.keras.Input((28, 28, 1)))"] == "keras"
    assert report["counts"]["wrong"] == report["counts"]["lost"] == 0


@pytest.mark.slow
def test_stages_and_traces(tmp_path: Path) -> None:
    """What a log says decides: one with another stage, or with fewer traces, makes the prediction wrong."""
    log = tmp_path / "log"
    report = compared(tmp_path, TENSORFLOW, "--log", str(log))
    assert report["stages"] == {"known": sum(report["stages"].values()), "lost": 0, "wrong": 0}
    stages = {place["text"]: place["stage"] for place in report["places"]}
    assert stages["tf.matmul(x, weights)"] == "symbolic"
    assert stages["tf.reduce_sum(batch, axis=1)"] == "eager"
    assert [(each["name"], each["seen"], each["certain"]) for each in report["traces"]] == [
        ("forward", 2, 2),
        ("scaled", 2, 0),
    ]
    known = log.read_text()
    log.write_text(known.replace('"graph"', '"tf"'))
    status, output, _ = run(tmp_path, TENSORFLOW, "--log", str(log))
    assert status == 1
    assert "tf.matmul(x, weights): predicted symbolic, observed eager" in output
    lines = known.splitlines(keepends=True)
    log.write_text("".join(line.replace(", 2]", ", 1]") if line.startswith('["traces"') else line for line in lines))
    status, output, _ = run(tmp_path, TENSORFLOW, "--log", str(log))
    assert status == 1
    assert "forward: predicted at least 2 traces, observed 1" in output


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tf.autograph.experimental.set_loop_options", "set_loop_options"])
def test_directives_of_autograph_stay_as_they_are(tmp_path: Path, name: str) -> None:
    program = f"""
import tensorflow as tf
from tensorflow.autograph.experimental import set_loop_options

@tf.function
def doubled(x, steps):
    for _ in tf.range(steps):
        {name}(shape_invariants=[(x, tf.TensorShape([None]))])
        x = tf.concat([x, x], 0)
    return x

doubled(tf.ones([2]), tf.constant(3))
"""
    assert compared(tmp_path, program)["ending"] == "exit status 0"


SYNTHETIC = """
import numpy as np
from tensorflow import keras

(x, y), (x_test, y_test) = keras.datasets.mnist.load_data()
x = x.reshape(-1, 784) / 255.0
model = keras.Sequential([keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
history = model.fit(x, y, epochs=50, verbose=0)
predicted = model.predict(x_test.reshape(-1, 784), verbose=0)
losses = []
for epoch in range(400):
    losses.append(model.train_on_batch(x[:32], y[:32]))
curve = np.array(losses)
print(len(losses), predicted.shape)
"""


@pytest.mark.slow
def test_stand_ins_for_data_and_training(tmp_path: Path) -> None:
    status, output, errors = run(tmp_path, SYNTHETIC, "--synthetic-data")
    assert status == 0, output + errors
    assert output.startswith("3 (10000, 10)\n")
    assert output.endswith("program: exit status 0\n")


OLD = """
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets("data", one_hot=True)
x = tf.placeholder(tf.float32, [None, 784])
logits = tf.layers.dense(x, 10)
step = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(tf.square(logits)))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for at in range(10000):
        images, labels = mnist.train.next_batch(100)
        session.run(step, {x: images})
    result = session.run(logits, {x: mnist.test.images})
"""


@pytest.mark.slow
def test_programs_of_tensorflow_1(tmp_path: Path) -> None:
    report = compared(tmp_path, OLD, "--synthetic-data", "--tf1")
    assert report["ending"] == "exit status 0"
    assert report["counts"]["wrong"] == 0
    assert level(report, "tf.layers.dense(x, 10)") == level(report, "images") == "known"
