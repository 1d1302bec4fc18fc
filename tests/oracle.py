"""The real libraries in a child process: calls functions on request and tells the shapes of what they return.

Started as a script, this file is the child.
"""

from __future__ import annotations

import inspect
import warnings
from typing import Any

from child import Child, serve

DTYPES = {
    "float": ["float32", "int32", "bool", "complex64"],
    "int": ["int32", "int64"],
    "bool": ["bool"],
    "text": ["str"],
}
NUMERIC = (
    "singular",
    "invertible",
    "positive definite",
    "converge",
    "decomposition",
    "not successful",
    "nan",
    "finite",
)
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
    "broadcast between",  # of more axes than the kernel has
    "positional argument but",
    "whereop : u",  # a sparse scalar
)

ASKED = {  # arguments without a default that have no say in the shape, and that no model names
    "seed": [1, 2], "lower": 0.5, "upper": 1.5, "max_delta": 0.2, "delta": 0.1, "factor": 0.5, "max_val": 1.0,
    "saturation_factor": 0.5, "contrast_factor": 0.5, "gain": 1, "clip_norm": 1.0, "rate": 0.5, "offset_height": 0,
    "variance_epsilon": 0.1, "central_fraction": 0.5, "max_total_size": 2, "threshold": 0.5,
    "overlap_threshold": 0.5, "dtype": "float32", "minval": 0, "maxval": 5, "colors": [[0.5] * 4], "default_value": 0.0,
    "fill_value": 1.0, "message": "", "size": 3, "sigma": 1.0, "shift": 1, "n": 2, "num_lower": 1,
    "num_upper": 1, "offset": None, "scale": None, "k": 1,
    "data_format": "NHWC", "num_buckets": 3, "pattern": "a", "rewrite": "b",
    "input_encoding": "UTF-8", "output_encoding": "UTF-8", "scale_after_normalization": True,
    "alpha": 1.0, "epsilon": 0.1, "multiples": [1, 2],
}  # fmt: skip


class Oracle:
    """Our side: sends calls."""

    def __init__(self) -> None:
        self._child = Child(__file__)
        self.stop = self._child.stop

    def call(self, name: str, args: list[Any], keywords: dict[str, Any]) -> dict[str, Any]:
        """{"shapes": …} or {"error": …}; arguments are encoded, {"t": shape, "k": kind} for tensors."""
        answer: dict[str, Any] = self._child.ask({"name": name, "args": args, "keywords": keywords})
        return {"error": "the process was aborted"} if "crash" in answer else answer


# ------------------------------------------------------------------------------------------- the child's side of it


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Tries the dtypes that make sense until a call succeeds."""
    from generate_signatures import resolve

    name = request["name"]
    function = resolve(name)
    if function is None:
        return {"missing": True}
    library = "np" if name.startswith(("np.", "scipy.")) else "tf"
    asked = wanting(function, request["args"], request["keywords"])
    errors = []
    for attempt in range(4):
        try:
            args = [decode(arg, library, attempt) for arg in request["args"]]
            keywords = {key: decode(arg, library, attempt) for key, arg in (asked | request["keywords"]).items()}
            result = function(*args, **keywords)
            return {"shapes": encode(result), "dtypes": [] if attempt else dtypes_of(result)}
        except Exception as error:
            errors.append(f"{type(error).__name__}: {str(error)[:300]}")
            if any(word in str(error).lower() for word in NUMERIC):
                return {"numeric": errors[-1]}
    return {"error": errors[0], "errors": errors}


def wanting(function: Any, args: list[Any], keywords: dict[str, Any]) -> dict[str, Any]:
    """The arguments that the call still lacks."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[len(args) :]
    except (TypeError, ValueError):
        return {}
    lacking = [
        p.name for p in parameters if p.default is p.empty or (p.name == "seed" and "stateless" in str(function))
    ]
    return {name: ASKED[name] for name in lacking if name in ASKED.keys() - keywords}


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
    dtypes = DTYPES.get(arg["k"], ["float32"])
    array = contents(tuple(arg["t"]), arg["k"]).astype(dtypes[attempt % len(dtypes)])
    if library == "np":
        return np.asarray(array)
    import tensorflow as tf

    return tf.sparse.from_dense(array) if arg["k"] == "sparse" else tf.constant(array)


def contents(shape: tuple[int, ...], kind: str) -> Any:
    """Numbers that are legal indices for `int`, and well-conditioned matrices otherwise."""
    import numpy as np

    if kind == "int":
        return np.zeros(shape)
    if kind == "text":
        return np.full(shape, "a b")
    array = np.random.default_rng(0).uniform(0.1, 1.0, shape)
    if len(shape) >= 2 and shape[-1] == shape[-2]:
        array = (array + np.swapaxes(array, -1, -2)) / 2 + 3 * np.eye(shape[-1])
    return array > 0.5 if kind == "bool" else array


def dtypes_of(result: Any) -> list[str]:
    """The dtype of each array of a result; nothing for numbers of Python and objects."""
    if isinstance(result, (list, tuple)) and not hasattr(result, "shape"):
        return [dtype for item in result for dtype in dtypes_of(item)]
    dtype = getattr(result, "dtype", "")
    return [str(getattr(dtype, "name", dtype))]


def encode(result: Any) -> Any:
    """The shape of a result: a list of sizes, or {"many": …} for sequences."""
    if isinstance(result, (list, tuple)) and not hasattr(result, "shape"):
        return {"many": [encode(item) for item in result]}
    import numpy as np

    shape = getattr(result, "shape", None)
    return [int(size) for size in (np.shape(result) if shape is None else shape)]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve(answer)
