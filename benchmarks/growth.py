"""How the cost of a check grows with the length of a program: `python -m benchmarks.growth`.

Each family of programs is generated at several lengths, each twice as long as the one before. Every program is checked
in a process of its own, a copy of one that has everything imported. Printed are the seconds of a processor, and the
factor for each doubling. `--only layers` chooses a family, `--doublings 3` stops earlier.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.scripts import scripts
from shapecheck.models.lang import loading

Files = Mapping[str, str]
"""The texts of a program, by file name; it begins with `main.py`."""


def sequential(length: int) -> Files:
    """Return a model of as many layers, added one by one."""
    lines = ["import keras", "model = keras.Sequential([keras.Input((16,))])"]
    lines += [f"model.add(keras.layers.Dense({16 + at % 3}))" for at in range(length)]
    return {"main.py": "\n".join([*lines, 'model.compile(loss="mse")', "model.summary()"])}


def functional(length: int) -> Files:
    """Return a functional model of as many layers with connections that skip one."""
    lines = ["import keras", "x = start = keras.Input((16,))"]
    lines += ["x = keras.layers.Add()([x, keras.layers.Dense(16)(x)])" for _ in range(length // 2)]
    return {"main.py": "\n".join([*lines, "model = keras.Model(start, x)", 'model.compile(loss="mse")'])}


def looped(length: int) -> Files:
    """Return a model whose layers are made by a function in a loop."""
    return {
        "main.py": f"""import keras
def block(x, size):
    y = keras.layers.Dense(size, activation="relu")(x)
    return keras.layers.Add()([x, keras.layers.Dense(16)(y)])
x = start = keras.Input((16,))
for size in [{", ".join(str(8 + at % 5) for at in range(length // 3))}]:
    x = block(x, size)
model = keras.Model(start, x)
"""
    }


def functions(length: int) -> Files:
    """Return as many functions that nothing calls."""
    body = "def f{0}(rows, size):\n    x = np.zeros((rows, size))\n    return x @ np.ones((size, {0})) + 1\n"
    return {"main.py": "import numpy as np\n" + "".join(body.format(at + 1) for at in range(length))}


def calls(length: int) -> Files:
    """Return as many functions, each of which the script calls twice."""
    called = "".join(f"f{at + 1}(3, 4)\nf{at + 1}(5, 6)\n" for at in range(length))
    return {"main.py": functions(length)["main.py"] + called}


def files(length: int) -> Files:
    """Return as many modules, each of which imports the one before and the first."""
    text = "import numpy as np\nimport part0\nimport part{0}\ndef f(x):\n    return part{0}.f(x) + np.ones((3, 1))\n"
    parts = {f"part{at}.py": text.format(at - 1) for at in range(1, length)}
    first = "import numpy as np\ndef f(x):\n    return x @ np.ones((4, 5))\n"
    return {"main.py": f"import numpy as np\nimport part{length - 1}\n", "part0.py": first, **parts}


def nested(length: int) -> Files:
    """Return functions that call each other, as deep as that."""
    lines = ["import numpy as np", "def f0(x):\n    return x @ np.ones((4, 4))"]
    lines += [f"def f{at}(x):\n    y = f{at - 1}(x)\n    return y + 1" for at in range(1, length)]
    return {"main.py": "\n".join([*lines, f"f{length - 1}(np.zeros((3, 4)))"])}


def branches(length: int) -> Files:
    """Return as many branches on options of the command line, each of which changes an array."""
    options = [f'parser.add_argument("--o{at}", type=int, default={at})' for at in range(length)]
    tests = [f"if args.o{at} > 2:\n    x = np.concatenate([x, x[:, :1]], axis=1)[:, 1:]" for at in range(length)]
    head = ["import argparse", "import numpy as np", "parser = argparse.ArgumentParser()"]
    lines = [*head, *options, "args = parser.parse_args()", "x = np.zeros((args.o1, 8))", *tests]
    return {"main.py": "\n".join([*lines, "print(x.shape)"])}


def loops(length: int) -> Files:
    """Return as many loops over data, one after the other."""
    body = "for step in range(args):\n    x = np.tanh(x @ w)\n    total += x.sum()"
    lines = ["import numpy as np", "args = int(input())", "x, w, total = np.zeros((3, 8)), np.ones((8, 8)), 0.0"]
    return {"main.py": "\n".join([*lines, *[body] * length])}


def faults(length: int) -> Files:
    """Return as many products of matrices that do not fit, whose fixes are looked for."""
    return {"main.py": "import numpy as np\n" + "np.zeros((2, 3)) @ np.zeros((5, 7))\n" * length}


FAMILIES: dict[str, tuple[Callable[[int], Files], int, int]] = {
    "sequential": (sequential, 125, 1000),
    "functional": (functional, 125, 1000),
    "looped": (looped, 125, 1000),
    "functions": (functions, 50, 400),
    "calls": (calls, 50, 400),
    "files": (files, 25, 200),
    "nested": (nested, 7, 30),
    "branches": (branches, 25, 200),
    "loops": (loops, 10, 80),
    "faults": (faults, 50, 400),
}
"""What makes the programs, with the first and the last length."""


def seconds(program: Files) -> float:
    """Return the seconds of a processor that a check of a program takes."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in program.items():
            (Path(folder) / name).write_text(text)
        return sum(script.seconds for script in scripts(Path(folder), "", fixes=1))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description="Cost and length of programs.")
    parser.add_argument("--only", choices=FAMILIES, help="one family of programs")
    parser.add_argument("--doublings", type=int, default=10, metavar="N", help="at most so many doublings")
    options = parser.parse_args()
    loading.load()
    print(f"{'program':>11} {'length':>6} {'seconds':>8} {'factor':>7}")
    for name, (make, first, last) in FAMILIES.items():
        if options.only in (None, name):
            before, length = 0.0, first
            for _ in range(options.doublings + 1):
                took = seconds(make(length))
                factor = f"{took / before:7.2f}" if before else ""
                print(f"{name:>11} {length:>6} {took:8.2f} {factor}", flush=True)
                before, length = took, length * 2
                if length > last * 1.1:
                    break


if __name__ == "__main__":
    main()
