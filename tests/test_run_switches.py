"""Switches: a program skips its recorder where there have never been tensors, and computes the same."""

from __future__ import annotations

import ast
import builtins
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shapecheck.runtime.recording.instrument import RECORD
from shapecheck.runtime.recording.recorder import ENOUGH, Recorder, known_as
from shapecheck.runtime.recording.switches import ON, put_in
from shapecheck.source import Source, read
from tests.test_run_instrument import PROGRAMS, rewritten


class Away(ast.NodeTransformer):
    """Replaces every switch by one of its sides."""

    def __init__(self, plain: bool) -> None:
        self.plain = plain

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        if isinstance(node.test, ast.Subscript) and isinstance(node.test.value, ast.Name) and node.test.value.id == ON:
            return self.visit(node.orelse if self.plain else node.body)  # type: ignore[no-any-return]
        return self.generic_visit(node)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_either_side_is_the_program(path: Path) -> None:
    made = rewritten(read(path)).text
    switched = ast.parse(made)
    switches = put_in(switched, 0)
    compile(switched, str(path), "exec")
    assert ast.dump(Away(plain=False).visit(switched)) == ast.dump(ast.parse(made))
    again = ast.parse(made)
    assert put_in(again, 0) == switches
    assert RECORD not in ast.dump(Away(plain=True).visit(again))


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    reading, writing = os.pipe()
    made = Recorder(writing)
    made.begin()
    yield made
    os.close(reading)
    os.close(writing)
    for name in (RECORD, ON):
        delattr(builtins, name)


def run(recorder: Recorder, text: str) -> tuple[dict[str, Any], list[str]]:
    """Return the variables of a program after its run, and the expressions behind the switches that went off."""
    made = rewritten(Source("program.py", text))
    tree = ast.parse(made.text)
    switches = put_in(tree, 0)
    recorder.add_places("program.py", made.places)
    recorder.add_switches(switches)
    variables: dict[str, Any] = {}
    exec(compile(tree, "program.py", "exec"), variables)
    off = (places for places, on in zip(switches, recorder.switches, strict=True) if not on)
    return variables, [text[slice(*made.places[places[0]])] for places in off]


def test_numbers_are_passed_by(recorder: Recorder) -> None:
    text = f"total = 0\nfor at in range({ENOUGH}):\n    total = total + at * 2\n    few = at - 1 if at < 9 else 0 - 2\n"
    variables, off = run(recorder, text)
    assert variables["total"] == ENOUGH * (ENOUGH - 1)
    assert off == ["total + at * 2"]


def test_elements_are_passed_by(recorder: Recorder) -> None:
    _, off = run(recorder, f"made = [at * 2 for at in range({ENOUGH})]\nf = lambda x: x + 1\ntotal = f(2)\n")
    assert set(off) == {"at * 2"}


def test_arrays_are_never_passed_by(recorder: Recorder) -> None:
    loop = f"for at in range({ENOUGH}):\n    y = x[0] + at\n    z = (at, x)[at == 5]\n    n = at * 2\n"
    _, off = run(recorder, f"import numpy as np\nx = np.zeros(3)\n{loop}")
    assert off == ["at * 2"]
    assert len([shapes for shapes in recorder.seen if any(shape == (3,) for shape, _ in shapes)]) == 3


@pytest.mark.parametrize(
    ("module", "name", "shape", "seen"),
    [
        ("cupy", "ndarray", (2, 3), (2, 3)),
        ("jaxlib._jax", "ArrayImpl", (2, 3), (2, 3)),
        ("jax._src.core", "Tracer", ("b", 3), (None, 3)),
        ("torch", "Tensor", [2, 3], (2, 3)),
        ("elsewhere", "Tensor", (2, 3), None),
    ],
)
def test_tensors_of_other_backends_are_seen(module: str, name: str, shape: Any, seen: Any) -> None:
    cls = type(name, (), {"__module__": module, "shape": shape})
    known = known_as(cls)
    assert (None if known is None else known[1](cls())) == seen
