"""The real libraries in a child process: calls functions on request and tells the shapes of what they return.

Some bad calls abort the whole process; that is an outcome too, so the libraries never run in the tests' own process.
Started as a script, this file is the child.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from typing import Any

DTYPES = {"float": ["float32", "int32", "bool", "complex64"], "int": ["int32", "int64"], "bool": ["bool"]}
NUMERIC = ("singular", "invert", "positive definite", "converge", "decomposition", "not successful", "nan", "finite")
NUMERIC += (
    "empty",
    "zero-size",
    "missing",
    "required positional",
    "not supported between",
    "could not find device",
    "keyword arguments",
    "positional-only",
    "at least",
    "high <= 0",
    "low >= high",
    "cpu implementation",
    "[0, 0)",
    "`labels` out of bound",
    "out of bound condition",
    "output dimensions must be positive",
    "must be > 0",
)


class Oracle:
    """Our side: sends calls, restarts the child when a call has killed it."""

    def __init__(self) -> None:
        self.calls = 0
        self._child: subprocess.Popen[str] | None = None

    def call(self, name: str, args: list[Any], keywords: dict[str, Any]) -> dict[str, Any]:
        """{"shapes": …} or {"error": …}; arguments are encoded, {"t": shape, "k": kind} for tensors."""
        self.calls += 1
        child = self._started()
        assert child.stdin and child.stdout
        child.stdin.write(json.dumps({"name": name, "args": args, "keywords": keywords}) + "\n")
        child.stdin.flush()
        line = child.stdout.readline()
        if not line:
            self._child = None
            return {"error": "the process was aborted"}
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _started(self) -> subprocess.Popen[str]:
        if self._child is None:
            quiet = {"CUDA_VISIBLE_DEVICES": "", "TF_ENABLE_ONEDNN_OPTS": "0", "TF_CPP_MIN_LOG_LEVEL": "3"}
            self._child = subprocess.Popen(
                [sys.executable, __file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env=os.environ | quiet,
            )
        return self._child

    def stop(self) -> None:
        if self._child is not None and self._child.stdin:
            self._child.stdin.close()
            self._child.wait(timeout=10)


# ------------------------------------------------------------------------------------------- the child's side of it


def serve() -> None:
    """Answers one line for each line."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        answers.write(json.dumps(answer(json.loads(line))) + "\n")


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Tries the dtypes that make sense until a call succeeds."""
    from generate_signatures import resolve

    name = request["name"]
    function = resolve(name)
    if function is None:
        return {"missing": True}
    library = "np" if name.startswith("np.") else "tf"
    errors = []
    for attempt in range(4):
        args = [decode(arg, library, attempt) for arg in request["args"]]
        keywords = {key: decode(arg, library, attempt) for key, arg in request["keywords"].items()}
        try:
            return {"shapes": encode(function(*args, **keywords))}
        except Exception as error:
            errors.append(f"{type(error).__name__}: {str(error)[:300]}")
            if any(word in str(error).lower() for word in NUMERIC):
                return {"numeric": errors[-1]}
    return {"error": errors[0], "errors": errors}


def decode(arg: Any, library: str, attempt: int) -> Any:
    """The argument that an encoded one stands for."""
    import numpy as np

    if isinstance(arg, list):
        return [decode(item, library, attempt) for item in arg]
    if not isinstance(arg, dict):
        return arg
    if "slice" in arg:
        return slice(*arg["slice"])
    if "ellipsis" in arg:
        return ...
    if "tuple" in arg:
        return tuple(decode(item, library, attempt) for item in arg["tuple"])
    dtypes = DTYPES[arg["k"]]
    array = contents(tuple(arg["t"]), arg["k"]).astype(dtypes[attempt % len(dtypes)])
    if library == "np":
        return np.asarray(array)
    import tensorflow as tf

    return tf.constant(array)


def contents(shape: tuple[int, ...], kind: str) -> Any:
    """Numbers that are legal indices for `int`, and well-conditioned matrices otherwise."""
    import numpy as np

    if kind == "int":
        return np.zeros(shape)
    array = np.random.default_rng(0).uniform(0.1, 1.0, shape)
    if len(shape) >= 2 and shape[-1] == shape[-2]:
        array = (array + np.swapaxes(array, -1, -2)) / 2 + 3 * np.eye(shape[-1])
    return array > 0.5 if kind == "bool" else array


def encode(result: Any) -> Any:
    """The shape of a result: a list of sizes, or {"many": …} for sequences."""
    if isinstance(result, (list, tuple)) and not hasattr(result, "shape"):
        return {"many": [encode(item) for item in result]}
    import numpy as np

    shape = getattr(result, "shape", None)
    return [int(size) for size in (np.shape(result) if shape is None else shape)]


if __name__ == "__main__":
    serve()
