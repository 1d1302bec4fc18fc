"""The text of a replay: imports, one line for each step, and a comment with the origin of each."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from dataclasses import dataclass, field

from shapecheck.dataflow.graph.steps import Step
from shapecheck.models.lang.packs import replays_of
from shapecheck.python_syntax import expression_of
from shapecheck.source import Place


class Unrenderable(Exception):
    """A value or step that cannot be written as a program; the message says why."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The library versions that a program is written for; `any_backend` if it needs nothing of TensorFlow itself."""

    v1: bool = False
    legacy_keras: bool = False
    any_backend: bool = False

    def module(self, root: str) -> str:
        """Return the module that a root name ("tf", "np", "keras", or that of a pack) stands for."""
        if root == "tf":
            return "tensorflow.compat.v1" if self.v1 else "tensorflow"
        if root == "keras":
            return "tf_keras" if self.legacy_keras else "keras"
        return root if replays_of(root) is not None else "numpy"

    def package(self, root: str) -> str:
        """Return the package that must be installed for a root name."""
        return self.module(root).partition(".")[0]


_RESERVED = frozenset({"flax", "jax", "keras", "np", "optax", "os", "session", "shapes", "tf", "torch", "torchvision"})
_NEEDS_LEGACY = re.compile(r":tf\.(layers|keras|nn\.(rnn_cell|\w*_rnn))\b")


@dataclass
class Program:
    """The lines of an unfinished program."""

    dialect: Dialect
    body: list[str] = field(default_factory=list)
    names: dict[str, None] = field(default_factory=dict)  # "module:path" of each library name
    roots: set[str] = field(default_factory=set)
    _taken: set[str] = field(default_factory=set)

    def library(self, name: str) -> str:
        """Return the text of a library name and record that it must exist."""
        root = name.partition(".")[0]
        is_known = root in ("tf", "np", "keras") or replays_of(root) is not None
        if not is_known or not all(map(is_name, name.split("."))):
            raise Unrenderable(f"uses {name}, which cannot be replayed")
        self.roots.add(root)
        self.names[f"{self.dialect.module(root)}:{name}"] = None
        return name

    def fresh(self, wanted: str) -> str:
        """Return an unused variable name, similar to the wanted one."""
        stem = wanted if is_name(wanted) else "x"
        name, number = stem, 1
        while name in self._taken or name in _RESERVED or hasattr(builtins, name):
            number += 1
            name = f"{stem}{number}"
        self._taken.add(name)
        return name

    def add(self, text: str, place: Place | None = None) -> int:
        """Add a line and return its index in the body."""
        self.body.append(f"{text}  # {_plain(str(place))}" if place is not None else text)
        return len(self.body) - 1

    @property
    def is_legacy(self) -> bool:
        """Return whether the program needs the Keras of TensorFlow 1 and early 2."""
        return self.dialect.legacy_keras and ("keras" in self.roots or any(map(_NEEDS_LEGACY.search, self.names)))

    def header(self) -> list[str]:
        """Return the lines above the body."""
        lines = []
        if self.is_legacy:
            lines += ["import os", "", 'os.environ["TF_USE_LEGACY_KERAS"] = "1"', ""]
        titles = {"keras": "import keras", "np": "import numpy as np", "tf": "import tensorflow as tf"}
        if self.dialect.v1:
            titles["tf"] = "import tensorflow.compat.v1 as tf"
        if self.dialect.legacy_keras:
            titles["keras"] = "import tf_keras as keras"
        lines += sorted(titles.get(root, f"import {root}") for root in self.roots)
        lines += ["", "tf.disable_v2_behavior()"] if self.dialect.v1 and "tf" in self.roots else []
        return [*lines, ""]

    def modules(self) -> tuple[str, ...]:
        """Return the packages to import, beginning with the one that gives the replay its name."""
        if self.roots <= {"np"}:
            return ("numpy",)
        own = {replays.module for root in self.roots if (replays := replays_of(root)) is not None}
        if own:
            return (min(own), *sorted(self.roots - own - {"np", "tf", "keras"}))
        if "tf" not in self.roots and not self.dialect.legacy_keras:
            return ("keras",)
        return ("tensorflow", self.dialect.package("keras")) if "keras" in self.roots else ("tensorflow",)

    def text(self) -> str:
        """Return the whole program."""
        return "\n".join([*self.header(), *self.body]) + "\n"


def is_name(text: str) -> bool:
    """Return whether a text can be a variable or attribute."""
    return text.isidentifier() and not keyword.iskeyword(text)


def _plain(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)


def argument_names(step: Step) -> dict[int | str, str]:
    """Return the simple names of arguments in the source, by position or keyword."""
    match expression_of(step.place.text):
        case ast.Call() as node:
            found = _names_in_call(node, len(step.args) - len(node.args))
        case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right, *_]):
            found = {0: _name(left), 1: _name(right)}
        case ast.Subscript(value=value) | ast.Attribute(value=value) | ast.UnaryOp(operand=value):
            found = {0: _name(value)}
        case _:
            found = {}
    return {argument: name for argument, name in found.items() if name is not None}


def _names_in_call(node: ast.Call, offset: int) -> dict[int | str, str | None]:
    """Those of a call; a step may have an argument more, which is the object of the method."""
    found: dict[int | str, str | None] = {}
    if 0 <= offset <= 1 and not any(isinstance(arg, ast.Starred) for arg in node.args):
        found = {position + offset: _name(arg) for position, arg in enumerate(node.args)}
        if offset and isinstance(node.func, ast.Attribute):
            found[0] = _name(node.func.value)
    return found | {item.arg: _name(item.value) for item in node.keywords if item.arg}


def _name(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    return None


def variable_like(name: str) -> str:
    """Return a variable name for the result of a library name: `layers.Dense` gives `dense`, `nn.relu` gives `relu`."""
    last = name.rpartition(".")[2]
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", last).lower()
    return snake if is_name(snake) and not hasattr(builtins, snake) else "result"
