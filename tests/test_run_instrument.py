"""Instrumentation of programs: all insertions can be removed again, and nothing else has changed."""

from __future__ import annotations

import ast
import sysconfig
from pathlib import Path

import pytest

from shapecheck import ir
from shapecheck.frontend.lower import lower
from shapecheck.runtime.recording.instrument import MORE, RECORD, TRIPS, Instrumented, instrument
from shapecheck.source import Source, read

ROOT = Path(__file__).resolve().parent.parent
STANDARD = Path(sysconfig.get_path("stdlib"))
PROGRAMS = [
    *sorted((ROOT / "corpus" / "clean").glob("*/main.py"))[::5],
    *(STANDARD / name for name in ("asyncio/tasks.py", "contextlib.py", "tabnanny.py")),
]


class Undo(ast.NodeTransformer):
    """Removes the calls of the recorder."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return node.args[1] if _is_ours(node) else node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        if _is_ours(node.value) and isinstance(node.value.args[1], ast.Name):  # type: ignore[attr-defined]
            return None
        self.generic_visit(node)
        return node


def _is_ours(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in (RECORD, TRIPS, MORE)


def rewritten(source: Source, *, loops: bool = False) -> Instrumented:
    module = lower(source)
    assert isinstance(module, ir.Module)
    return instrument(source.text, module, 0, loops=loops)


@pytest.mark.parametrize("loops", [False, True], ids=["records", "loops"])
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_nothing_else_changes(path: Path, loops: bool) -> None:
    source = read(path)
    made = rewritten(source, loops=loops)
    assert made.text.count("\n") == source.text.count("\n")
    assert len(made.places) > 10
    compile(made.text, str(path), "exec")
    before, after = ast.parse(source.text), Undo().visit(ast.parse(made.text))
    assert ast.dump(after) == ast.dump(before)
    for (start, end), number in zip(made.places, range(len(made.places)), strict=True):
        assert ast.parse(f"({source.text[start:end]}\n)") is not None, number


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y = f(x)", "y = R(0, f(R(1, x)))"),
        ("a, b = f(1)", "a, b = R(0, f(1)); R(1, a); R(2, b)"),
        ("if x: a, *b = y; c = 1", "if x: a, *b = R(0, y); R(1, a); R(2, b); c = R(3, 1)".replace("R(3, 1)", "1")),
        ("(x, _), (y, _) = f()", "(x, _), (y, _) = R(0, f()); R(1, x); R(2, _); R(3, y)"),
        ("x += y[0]", "x += R(0, y[0]); R(1, x)"),
        ("y = x if c else-x", "y = R(0, x if c else R(1, -x))"),
        ("import tensorflow as tf\nf = tf.nn.relu", "import tensorflow as tf\nf = tf.nn.relu"),
        ("super().f(x)", "R(0, super().f(R(1, x)))"),
        ("s = sum(i*2 for i in y)", "s = R(0, sum(R(1, i*2) for i in y))"),
        ('s = f"{x.shape} {x+1=}"', 's = f"{x.shape} {x+1=}"'),
        ("y = (x +\n     1)", "y = (R(0, x +\n     1))"),
        (
            "@decorate(f(1))\ndef g(x: T[1] = f(2)): return x",
            "@decorate(f(1))\ndef g(x: T[1] = R(0, f(2))): return R(1, x)",
        ),
        ("del x[f(1)]", "del x[f(1)]"),
        ("y = x.T.dot(z)", "y = R(0, R(1, x.T).dot(R(2, z)))"),
        ("print(x, locals())", "print(R(0, x), locals())"),
    ],
)
def test_what_is_recorded(text: str, expected: str) -> None:
    made = rewritten(Source("program.py", text + "\n"))
    assert made.text.replace(RECORD, "R") == expected + "\n"


def test_deep_nesting_is_left_alone_inside() -> None:
    text = "x = " + "f(" * 150 + "1" + ")" * 150 + "\n"
    compile(rewritten(Source("program.py", text)).text, "program.py", "exec")
