"""The real libraries in a child process, which calls functions on request and returns the shapes of their results.

Started as a module, this file is the child.
"""

from __future__ import annotations

import inspect
import re
import signal
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from tests.support.child import Child, serve
from tests.support.options import options

DTYPES = {
    "float": ["float32", "int32", "bool", "complex64"],
    "int": ["int32", "int64"],
    "bool": ["bool"],
    "text": ["str"],
    "key": ["uint32"],
}
EXCEPTIONS = {  # the library's own words, and why such a refusal is not about shapes
    r"singular|invertible|positive definite|converge|not successful": "the numbers in a matrix",
    r"decomposition(?!.*square)": "the same",
    r"\bnans?\b|must be finite|non-finite|infs or": "the numbers",
    r"do not sum to 1|fewer non-zero entries|probabilities are not": "the numbers",
    r"high <= 0|sum.pvals|low >= high|\[0, 0\)|out of bound(?!s for (an )?array)": "bounds between which no number is",
    r"must be > 0|dimensions must be positive|zero-size|must not be empty|specified for empty": "nothing is in it",
    r"unhandled input dimensions: 0": "a sparse scalar",
    r"missing|must be given|takes .*positional arg|not nonetype|keyword arg": "arguments that it must have",
    r"positional-only|with named arguments|must provide(?! window)|expected int for": "the same",
    r"not match expected type|as a python `bool`|unsupported operand|bad operand": "the dtype, or no number",
    r"could not find device|cpu implementation|list of allowed values|no opkernel": "no kernel for the dtype",
    r"of type float|same dtype|invalid dtype|conversion requested dtype|expected string passed": "the dtype",
    r"currently (does not|only) support|^unimplementederror": "no kernel for this on a CPU",
    r"expected (string|list) for|none values not supported": "the call has not the arguments that it must have",
    r"list of tensors when single|tensor.* to a numpy|got <tf.tensor": "a tensor where a graph wants an array",
    r"broadcast between": "more axes than the kernel has",
    r"has no attribute|apply to a '|only concatenate list|should be a numpy|requires a 'numpy": "a list, no array",
    r"not supported between": "the same",
    r"requires ndarray or scalar arguments|cannot determine dtype of \[": "a list, no array",
    r"must be tensor, not|expected tensor as element|invalid combination of arg|'value'": "no tensor",
    r"expected dtype int|a long tensor|of type longtensor|scalar types: long|p_in >= 0": "the dtype, or the numbers",
    r"at least one of 'min' or 'max'|must be tuple of ints|no nvidia driver": "arguments that it must have",
    r"did not contain a loop|no loop matching": "the dtype",
    r"int64' object is not iterable|'int' has no len": "one axis, where there must be a list of them",
}

ASKED = {  # arguments without a default that do not affect the shape, and that no model names
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


SECONDS = 3  # for other numbers
ABORTED = "the process was aborted"
FIRST = {"NCW", "NCHW", "NCDHW"}  # no kernel on a CPU has the channels first


class Oracle:
    """The parent's side, which sends calls."""

    def __init__(self, python: str = sys.executable) -> None:
        self._child = Child(__name__, python=python)
        self.stop = self._child.stop
        self._fragile: set[str] = set()  # functions that do not come to an end with other numbers

    def call(self, name: str, args: list[Any], keywords: dict[str, Any], is_graph: bool = False) -> dict[str, Any]:
        """Return {"shapes": …} or {"error": …}; arguments are encoded, {"t": shape, "k": kind} for tensors. A graph is
        not run."""
        asked = {"name": name, "args": args, "keywords": keywords, "graph": is_graph}
        answer: dict[str, Any] = self._child.ask(asked)
        return {"error": ABORTED} if "crash" in answer else answer

    def exactly(self, name: str, args: list[Any], keywords: dict[str, Any]) -> dict[str, Any]:
        """Return {"shapes": …} or {"error": …} for the call with the dtypes that it has, and no others."""
        answer: dict[str, Any] = self._child.ask({"name": name, "args": args, "keywords": keywords, "exact": True})
        return {"error": ABORTED} if "crash" in answer else answer

    def options(self, name: str) -> dict[str, list[Any]]:
        """Return, by option of a function, possible arguments for it."""
        answer: dict[str, Any] = self._child.ask({"name": name, "options": True})
        return answer.get("options", {})

    def others(
        self, name: str, args: list[Any], keywords: dict[str, Any], attempt: int, seed: int
    ) -> list[dict[str, Any]]:
        """Return the results of an accepted call for other numbers in its arrays, as far as it accepts these too."""
        asked = {"name": name, "args": args, "keywords": keywords, "others": attempt, "seed": seed}
        if name in self._fragile:
            return []
        told = self._child.ask(asked)
        if "crash" in told:
            self._fragile.add(name)
        found: list[dict[str, Any]] = told.get("others", [])
        return found

    def static(self, name: str, args: list[Any], keywords: dict[str, Any], attempt: int) -> Any:
        """Return the shapes that TensorFlow infers without running, with None for unknown sizes; sizes of arguments may
        be None too."""
        asked = {"name": name, "args": args, "keywords": keywords, "static": attempt}
        return self._child.ask(asked).get("shapes")


# ------------------------------------------------------------------------------------------- the child's side of it


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Try the sensible dtypes until a call succeeds."""
    from tests.support.generate_signatures import resolve

    name = request["name"]
    function = resolve(name)
    if function is None:
        return {"missing": True}
    if "options" in request:
        return {"options": options(function)}
    request["keywords"] = {**wanting(function, request["args"], request["keywords"]), **request["keywords"]}
    if "static" in request:
        return static(request, function)
    made = environment_of(name)
    if "others" in request:
        return {"others": list(others(request, function, made))}
    if request.get("graph") or FIRST & {str(arg) for arg in (*request["args"], *request["keywords"].values())}:
        made = unrun if made is not in_numpy else made
    if request.get("exact"):
        signal.alarm(SECONDS)
        try:
            result, _ = made(request, function, 0)  # what is raised is an answer, too
            return {"shapes": encode(result), "lax": made is unrun}
        finally:
            signal.alarm(0)
    errors = []
    first = first_attempt(request)
    for attempt in range(first, 5):
        try:
            result, dtypes = made(request, function, attempt)
            seen = dtypes if attempt == first else []
            return {"shapes": encode(result), "dtypes": seen, "attempt": attempt, "lax": made is unrun}
        except Exception as error:
            errors.append(f"{type(error).__name__}: {str(error)[:300]}")
    usual = errors[1 - first]
    is_exception = any(re.search(words, usual.lower(), re.DOTALL) for words in EXCEPTIONS)
    is_exception |= made is unrun and "Negative dimension size" in usual  # kernels give an empty result
    return {"numeric" if is_exception else "error": usual}


def environment_of(name: str) -> Any:
    """Return the function that calls those of a library."""
    root = name.partition(".")[0]
    if root in ("jax", "flax", "optax", "torch"):
        return in_torch if root == "torch" else in_jax
    return in_numpy if root in ("np", "scipy") else in_tensorflow()


def first_attempt(request: dict[str, Any]) -> int:
    """Return the number of the first attempt: requested dtypes are tried first."""
    return 0 if "'d':" in repr(request) else 1


def others(request: dict[str, Any], function: Any, made: Any) -> Iterator[dict[str, Any]]:
    """Return the results for numbers of either sign, and for zeros only; these may well be refused."""
    attempt = request["others"]
    for numbers in ("signed", "zeros"):
        signal.alarm(SECONDS)  # which ends this process: some kernels never come to an end with them
        try:
            result, dtypes = made({**request, "numbers": numbers}, function, attempt)
        except Exception:
            continue
        finally:
            signal.alarm(0)
        yield {"shapes": encode(result), "dtypes": dtypes if attempt == first_attempt(request) else []}


def called(request: dict[str, Any], function: Any, attempt: int, make: Any) -> Any:
    fill = filling(request["numbers"], request["seed"]) if "numbers" in request else contents
    args = [decode(arg, attempt, make, fill) for arg in request["args"]]
    return function(*args, **{key: decode(arg, attempt, make, fill) for key, arg in request["keywords"].items()})


def in_numpy(request: dict[str, Any], function: Any, attempt: int) -> Any:
    result = called(request, function, attempt, lambda array, _: array)
    return result, dtypes_of(result)


def in_jax(request: dict[str, Any], function: Any, attempt: int) -> Any:
    """Trace a call, which computes nothing; a function that needs the values is run."""
    import jax

    arrays: list[Any] = []
    called(request, lambda *_, **__: None, attempt, lambda array, _: arrays.append(array))

    def run(*given: Any) -> Any:
        rest = iter(given)
        return called(request, function, attempt, lambda *_: next(rest))

    try:
        result = jax.eval_shape(run, *arrays)
    except (jax.errors.ConcretizationTypeError, jax.errors.TracerArrayConversionError, IndexError):
        result = run(*map(jax.numpy.asarray, arrays))
    return result, dtypes_of(result)


def in_torch(request: dict[str, Any], function: Any, attempt: int) -> Any:
    import torch

    result = called(request, function, attempt, lambda array, _: torch.tensor(array))
    return result, [name and name.removeprefix("torch.") for name in dtypes_of(result)]


def in_tensorflow() -> Any:
    """Call a function of TensorFlow; TensorFlow 1 computes in graphs."""
    import tensorflow as tf

    return in_eager if tf.executing_eagerly() else in_graph


def in_eager(request: dict[str, Any], function: Any, attempt: int) -> Any:
    result = called(request, function, attempt, tensor)
    return result, dtypes_of(result)


def unrun(request: dict[str, Any], function: Any, attempt: int) -> Any:
    """Return a tensor of a graph that never runs; only kernels check all operands."""
    import tensorflow as tf

    with tf.Graph().as_default():
        result = called(request, function, attempt, tensor)
        return result, dtypes_of(result)


def in_graph(request: dict[str, Any], function: Any, attempt: int) -> Any:
    import tensorflow as tf

    options = tf.compat.v1.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    options.graph_options.rewrite_options.disable_meta_optimizer = True
    with tf.Graph().as_default() as graph, tf.compat.v1.Session(config=options) as session:
        result = called(request, function, attempt, tensor)
        if graph.get_collection(tf.compat.v1.GraphKeys.GLOBAL_VARIABLES):
            session.run(tf.compat.v1.global_variables_initializer())
        return evaluated(result, session), dtypes_of(result)


def tensor(array: Any, kind: str) -> Any:
    """Return the array as a tensor."""
    import numpy as np
    import tensorflow as tf

    if kind == "sparse":
        return tf.SparseTensor(np.argwhere(array), array[array != 0], array.shape)
    return tf.constant(array)


def evaluated(result: Any, session: Any) -> Any:
    """Return a result with its tensors replaced by their values when run."""
    import tensorflow as tf

    if isinstance(result, (list, tuple)) and not hasattr(result, "shape"):
        return [evaluated(item, session) for item in result]
    if isinstance(result, tf.SparseTensor):
        import numpy as np

        return np.empty([0, *session.run(result).dense_shape])[0]
    return session.run(result) if isinstance(result, (tf.Tensor, tf.Variable)) else result


def static(request: dict[str, Any], function: Any) -> dict[str, Any]:
    """Return the shapes that TensorFlow infers before anything runs."""
    import tensorflow as tf

    def make(array: Any, kind: str) -> Any:
        raise ValueError(f"{kind} tensors have no placeholder")

    with tf.Graph().as_default():
        result = called(request, function, request["static"], make)
        return {"shapes": told(result)}


def told(result: Any) -> Any:
    if isinstance(result, (list, tuple)) and not hasattr(result, "shape"):
        return {"many": [told(item) for item in result]}
    return result.shape.as_list() if result.shape.rank is not None else None


def wanting(function: Any, args: list[Any], keywords: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments that the call still lacks."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[len(args) :]
    except (TypeError, ValueError):
        return {}
    lacking = [
        p.name for p in parameters if p.default is p.empty or (p.name == "seed" and "stateless" in str(function))
    ]
    return {name: ASKED[name] for name in lacking if name in ASKED.keys() - keywords}


def decode(arg: Any, attempt: int, make: Any, fill: Any) -> Any:
    """Return the argument that an encoded one stands for; `fill` makes an array, `make` passes it to the library."""
    import numpy as np

    if isinstance(arg, list):
        return [decode(item, attempt, make, fill) for item in arg]
    if not isinstance(arg, dict):
        return arg
    if "slice" in arg:
        return slice(*arg["slice"])
    if "ellipsis" in arg:
        return ...
    if "tuple" in arg:
        return tuple(decode(item, attempt, make, fill) for item in arg["tuple"])
    dtypes = DTYPES.get(arg["k"], ["float32"])
    dtype = dtypes[max(attempt - 1, 0) % len(dtypes)] if attempt or "d" not in arg else arg["d"]
    if "open" in arg:
        import tensorflow as tf

        return tf.compat.v1.placeholder("string" if dtype == "str" else dtype, arg["open"])
    if "literal" in arg:
        return np.ones(arg["t"], dtype).tolist()
    array = np.asarray(fill(tuple(arg["t"]), arg["k"], dtype))
    return array if "numpy" in arg else make(array, arg["k"])


def contents(shape: tuple[int, ...], kind: str, dtype: str) -> Any:
    """Return numbers that are legal indices for `int`, and well-conditioned matrices otherwise."""
    import numpy as np

    if kind in ("int", "key"):
        return np.zeros(shape, dtype)
    if kind == "text":
        return np.full(shape, "a b", dtype)
    array = np.random.RandomState(0).uniform(0.1, 1.0, shape)
    if len(shape) >= 2 and shape[-1] == shape[-2]:
        array = (array + np.swapaxes(array, -1, -2)) / 2 + 3 * np.eye(shape[-1])
    if dtype == "bool" and kind != "bool":
        return np.ones(shape, dtype)
    return (array > 0.5 if kind == "bool" else array if "float" in dtype else np.ceil(array)).astype(dtype)


def filling(numbers: str, seed: int) -> Any:
    """Return a function that makes arrays with other numbers than the usual ones: no symmetric matrices, of either
    sign, or all zero."""
    import numpy as np

    rng = np.random.RandomState(seed)

    def fill(shape: tuple[int, ...], kind: str, dtype: str) -> Any:
        if kind in ("int", "text", "key"):  # which must remain legal
            return contents(shape, kind, dtype)
        if numbers == "zeros":
            return np.zeros(shape, dtype)
        if dtype == "bool":
            return rng.randint(0, 2, shape).astype(dtype)
        if "int" in dtype:
            return rng.randint(-3, 4, shape).astype(dtype)
        array = rng.uniform(-2.0, 2.0, shape)
        return (array + 1j * rng.uniform(-2.0, 2.0, shape) if "complex" in dtype else array).astype(dtype)

    return fill


def dtypes_of(result: Any) -> list[str]:
    """Return the dtype of each array of a result; nothing for numbers of Python and objects."""
    if isinstance(result, (list, tuple)) and not hasattr(result, "shape"):
        return [dtype for item in result for dtype in dtypes_of(item)]
    dtype = getattr(result, "dtype", "")
    return [str(getattr(dtype, "name", dtype))]


def encode(result: Any) -> Any:
    """Return the shape of a result: a list of sizes, or {"many": …} for sequences."""
    if isinstance(result, (list, tuple)) and not hasattr(result, "shape"):
        return {"many": [encode(item) for item in result]}
    import numpy as np

    shape = getattr(result, "shape", None)
    sizes = np.shape(result) if shape is None else shape.as_list() if hasattr(shape, "as_list") else shape
    return [-1 if size is None else int(size) for size in sizes]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve(answer)
