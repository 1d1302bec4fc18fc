"""Calls, methods, operators, subscripts and attributes as a replay writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shapecheck.dataflow.graph.steps import Step
from shapecheck.domain.values import NONE, Const, Ref, Seq, Tensor, Value
from shapecheck.models.lang.packs import classes_of_arrays, pack_of
from shapecheck.runtime.replay.program import Program, Unrenderable, is_name
from shapecheck.runtime.replay.render import Values, keyword_text

UNPACK = "unpack"  # the items of something given to so many names
_UNARY = {"neg": "-", "pos": "+", "invert": "~", "-": "-", "+": "+", "~": "~"}
_ARITHMETIC = ("+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>")
_BINARY = frozenset({*_ARITHMETIC, "==", "!=", "<", "<=", ">", ">="})
_ASSIGNING = frozenset(f"{operator}=" for operator in _ARITHMETIC)
_ATTRIBUTES = frozenset({"T", "mT", "shape", "size", "ndim", "flat", "real", "imag", "dtype"})

# Arguments that do not affect shapes: left out if their values cannot be written.
_HARMLESS = re.compile(
    r"name|activation|.*_activation|.*_(initializer|regularizer|constraint)|initializer|regularizer|seed|callbacks"
    r"|trainable|verbose|optimizer|metrics|learning_rate|collections|summarize|scope|reuse|activation_fn"
)
# Steps that read or write files or the network, or call back into the program.
_WORLDLY = re.compile(
    r"np\.(load\w*|save\w*|fromfile|genfromtxt|fromregex|memmap|ndarray\.(tofile|dump))"
    r"|tf\.(io\.(?!decode)|saved_model\.|train\.(?!(shuffle_)?batch$)|summary\.(?!scalar)|py_func|numpy_function|py_function|data\.(TFRecord|TextLine))"
    r".*|tf\.(gfile|read_file|write_file|load_op_library|load_library|WholeFileReader|TextLineReader|TFRecordReader)\b.*"
    r"|keras\.(datasets|saving)\..*|keras\..*\b(get_file|load_\w+|save\w*|\w+_from_directory|export|download\w*)"
)


def reaches_outside(name: str) -> bool:
    """Return whether a library name stands for something that a replay must never do, such as reading a file."""
    return _WORLDLY.fullmatch(name) is not None


class Calls:
    """Writes steps as expressions or statements."""

    def __init__(self, program: Program, values: Values) -> None:
        self._program = program
        self._values = values

    def text(self, step: Step) -> str:
        """Return the code for a step; raises Unrenderable."""
        if step.kind != "op":
            raise Unrenderable("is not a library call")
        if reaches_outside(step.name):
            raise Unrenderable(f"{step.name} accesses files or the network")
        if step.name == UNPACK:
            names = ["_"] * _number(step.args[1])
            given = step.args[0]
            is_array = isinstance(given, Seq) and any(isinstance(item, Tensor) for item in given.items)
            return f"[{', '.join(names)}] = {self._values.text(given) if is_array else self._shape(given)}"
        operator = operator_of(step)
        if operator is not None:
            return self._operator(operator, step.args)
        owner = owner_of(step)
        if owner is None:
            return f"{self._program.library(step.name)}({self.arguments(step.name, step.args, step.keywords)})"
        return self._method(step, owner)

    def is_statement(self, step: Step) -> bool:
        """Return whether the code of a step has no value."""
        operator = operator_of(step)
        return step.name == UNPACK or (operator is not None and (operator == "[]=" or operator in _ASSIGNING))

    def arguments(self, name: str, args: Sequence[Value], keywords: Sequence[tuple[str, Value]]) -> str:
        """Return the text between the parentheses of a call."""
        if name.startswith("keras.applications.") and not name.endswith(".__call__"):
            args, keywords = _without_weights(args, keywords)
        parts = [self._values.text(arg) for arg in args]
        named = [self._keyword(keyword, value) for keyword, value in keywords]
        return ", ".join(parts + [text for text in named if text])

    def _keyword(self, name: str, value: Value) -> str:
        """Return a keyword argument; empty if it cannot be written and does not matter."""
        try:
            return keyword_text(name, self._values.text(value))
        except Unrenderable:
            if _HARMLESS.fullmatch(name):
                return ""
            raise

    def _method(self, step: Step, owner: Value) -> str:
        text, method = self._values.text(owner), step.name.rpartition(".")[2]
        if method == "__call__":
            return f"{text}({self.arguments(step.name, step.args[1:], step.keywords)})"
        if not is_name(method):
            raise Unrenderable(f"{step.name} cannot be written as code")
        if method in _ATTRIBUTES and len(step.args) == 1 and not step.keywords:
            return f"{text}.{method}"
        return f"{text}.{method}({self.arguments(step.name, step.args[1:], step.keywords)})"

    def _operator(self, operator: str, args: Sequence[Value]) -> str:
        text = self._values.text
        if operator in ("[]", "[]=") and len(args) >= 2:
            subscript = f"{self._shape(args[0])}[{self._values.index(args[1])}]"
            return f"{subscript} = {text(args[2])}" if operator == "[]=" and len(args) > 2 else subscript
        if len(args) == 1 and operator in _UNARY:
            return f"{_UNARY[operator]}{text(args[0])}"
        if len(args) == 2 and operator in _ASSIGNING:
            return f"{text(args[0])} {operator} {text(args[1])}"
        if len(args) == 2 and operator in _BINARY:
            left = text(args[0])
            left = f"({left})" if left.startswith("-") else left
            return f"{left} {operator} {text(args[1])}"
        raise Unrenderable(f"the operator {operator} cannot be written as code")

    def _shape(self, value: Value) -> str:
        """Return an operand; a shape is taken from an array, so that the operation runs in a library."""
        text = self._values.text(value)
        if not isinstance(value, Seq):
            return text
        if value.kind == "shape":
            return f"{self._program.library('tf.TensorShape')}({text})"
        return f"{self._program.library('np.broadcast_to')}(0, {text}).shape"


def _without_weights(
    args: Sequence[Value], keywords: Sequence[tuple[str, Value]]
) -> tuple[list[Value], list[tuple[str, Value]]]:
    """Return the arguments of an application that builds it without downloading anything."""
    rest = [(name, value) for name, value in keywords if name != "weights"]
    if len(args) > 1:
        return [args[0], NONE, *args[2:]], rest
    return list(args), [*rest, ("weights", NONE)]


def _number(value: Value) -> int:
    return value.value if isinstance(value, Const) and isinstance(value.value, int) else 0


def operator_of(step: Step) -> str | None:
    """Return the operator of a step ("+", "[]", "neg"), None if it is a call."""
    if step.name == "[]":
        return step.name
    if step.name.startswith("operator "):
        return step.name.removeprefix("operator ")
    root, _, rest = step.name.partition(".")
    if not is_name(root) or not rest or (rest in _UNARY and len(step.args) == 1 and pack_of(root) is not None):
        return rest or None
    return None if re.fullmatch(r"[A-Za-z_][\w.]*", rest) else rest


def owner_of(step: Step) -> Value | None:
    """Return the object whose method or attribute a step is, None if it is a function."""
    if not step.args:
        return None
    cls, _, method = step.name.rpartition(".")
    first = step.args[0]
    if isinstance(first, Ref) and (method == "__call__" or cls.rpartition(".")[2][:1].isupper()):
        return first
    return first if isinstance(first, Tensor) and cls in classes_of_arrays() else None
