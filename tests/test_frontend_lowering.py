"""Lowering by Python's own parser and by libcst, compared with each other, `ast` and `symtable` on real files."""

from __future__ import annotations

import ast
import symtable
import sys
from collections.abc import Callable, Iterator

import pytest

from shapecheck import ir
from shapecheck.frontend.deep import with_deep_stack
from shapecheck.frontend.guard import check
from shapecheck.frontend.lenient import lower_lenient
from shapecheck.frontend.lower import lower
from shapecheck.frontend.native import lower_native
from shapecheck.source import Source
from tests.support.frontend_forms import descend, ir_form, syntax_form
from tests.support.frontend_samples import is_reproduced, sample

FILES = sample(60, seed=3)

SYNTAX = r'''
"""Doc."""
import a.b.c as d, e.f
from . import g
from ..h import (i, j as k,)
from l import *
@dec(1).x
async def f(p, /, q: int = 1, *r: int, s, t=2, **u) -> "x":
    """Inner."""
    async with a as (b, c), d: pass
    async for x, *y in z: break
    else: continue_ = 1
    return [w async for w in p if q if r for v in w], {**a, 1: 2}, {*a, b}, {k: v for k, v in u}
def plain(*, only): yield; z = yield from only
class C(Base, *more, metaclass=M, **rest):
    x: int
    y: str = "a" "b" f"{x!r:>{width}}" "c{{"
    z.w: list[int, ...] = 0x_ff, 1_000, 1e3, 2j, 0o17, 0b1, .5, ...
x = y, = z[1:2, ::3, ...], z[1,], z[a], z[:], z[()], b"\\x00" b"a", r"\\d", "\\N{BULLET}", u"u"
x **= -1 ** ~y; x @= not a < b <= c is not d not in e
del x, (y), z[0]; del (a, b)
assert a and b and (c and d) or e, "no"
try: raise E from None
except (A, B) as e: raise
except: pass
else: pass
finally: pass
while (n := f(x for x in y)) if a else lambda q, *w, e=1: (yield): pass
else: pass
if a: pass
elif b: pass
elif c: pass
else: pass
for (a) in [*b]: pass
match x, y:
    case 1 | -2: pass
    case [a, *_, (b)] | {"k": b, **a}: pass
    case Point(x=0, y=c) as d if c: pass
    case None | _: pass
    case A.B: pass
    case "s" "t": pass
    case e: pass
print(f"{a}{b!r}x{c:>{d}}{{}}\\n{e=}{ f = }", f"{'nested'}" f'{f"{g}"}', not_, *args, **kw)
print(f"""\
x "{a}" \"{b}
\\\
y""", f'\'"{a}', rf"\d{a}")
with (open(a) as b, c): pass
def inner():
    global p
    p = [t := 1 for q in (2,)]; w = (v := 2)
    def nested():
        nonlocal t
'''


def native(source: Source) -> ir.Module:
    module = with_deep_stack(lambda: lower_native(source, check(source.code)))
    assert module is not None
    return module


def lenient(source: Source) -> ir.Module:
    return with_deep_stack(lambda: lower_lenient(source, check(source.code)))


@pytest.mark.parametrize("way", [native, lenient])
@pytest.mark.parametrize("source", [Source("syntax", SYNTAX), *FILES], ids=lambda source: source.filename)
def test_agrees_with_ast(source: Source, way: Callable[[Source], ir.Module]) -> None:
    expected = syntax_form(ast.parse(source.text))
    assert [repr(form) for form in ir_form(way(source))] == [repr(form) for form in expected]


@pytest.mark.parametrize("source", [Source("syntax", SYNTAX), *FILES], ids=lambda source: source.filename)
def test_both_ways_give_the_same_places(source: Source) -> None:
    if not is_reproduced(source):
        return
    assert [*places(native(source))] == [*places(lenient(source))]


def places(module: ir.Module) -> Iterator[tuple[object, ...]]:
    """Return what `test_agrees_with_ast` ignores; empty brackets may be a part of it or not."""
    for comment in module.comments:
        yield comment.start, comment.line, comment.text
    for node, _ in descend(module.body, None):
        if not isinstance(node, ir.Display) or node.items:
            yield type(node), node.start, node.end, getattr(node, "name_start", None), getattr(node, "bound", None)


FIELDS = r'''
f"{a}{b!r}" 'plain {no}' rf"\d{c}\{d}" F'{e:>{z}}{f == g}{h != i:x}{j=}' f"{{}}{ k }\N{BULLET}{l['x']}\\{m}"  # {o}
f"""{
    n
}""" if False else f"é{o}é{p, q}{call(r, u=s)}{(lambda w: t)(1):{z}.{z}}" fr'\N{u}'
'''


def test_what_stands_in_f_strings_is_found() -> None:
    source = Source("fields", FIELDS)
    names = [node for node, _ in descend(native(source).body, None) if isinstance(node, ir.Name)]
    assert [source.text[node.start : node.end] for node in names] == [node.id for node in names]
    assert "".join(node.id for node in names if len(node.id) == 1) == "abcdefghijklmnopqrstu"


NESTED = r"""
é = f"{a!r  }{b[f"{c["d"]}"]:{e}}{  # a comment
    f  # another
}"
"""


@pytest.mark.skipif(sys.version_info < (3, 12), reason="f-strings with quotes and comments inside came with PEP 701")
def test_what_stands_in_nested_f_strings_is_found() -> None:
    source = Source("fields", NESTED)
    names = [node for node, _ in descend(native(source).body, None) if isinstance(node, ir.Name)]
    assert [source.text[node.start : node.end] for node in names] == ["é", "a", "b", "c", "f"]


@pytest.mark.parametrize("source", [Source("syntax", SYNTAX), *FILES], ids=lambda source: source.filename)
def test_spans_nest_and_names_stand_where_they_should(source: Source) -> None:
    for node, parent in descend(lower(source).body, None):
        assert 0 <= node.start <= node.end <= len(source.text)
        if parent is not None and not isinstance(parent, (ir.FunctionDef, ir.ClassDef)):
            assert parent.start <= node.start, (node, parent)
            assert node.end <= parent.end, (node, parent)
        if isinstance(node, ir.Name):
            assert source.text[node.start : node.end] == node.id
        if isinstance(node, (ir.FunctionDef, ir.ClassDef)):
            assert source.text.startswith(node.name, node.name_start)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="symtable counts the variables of comprehensions since PEP 709")
@pytest.mark.parametrize("source", [Source("syntax", SYNTAX), *FILES], ids=lambda source: source.filename)
def test_bound_agrees_with_symtable(source: Source) -> None:
    expected: dict[tuple[int, str], list[set[str]]] = {}
    for table in tables(symtable.symtable(source.text, "file", "exec")):
        if table.get_type() == "function" and table.get_name() not in ("listcomp", "setcomp", "dictcomp", "genexpr"):
            names = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_local()}
            expected.setdefault((table.get_lineno(), table.get_name()), []).append(
                {demangled(name) for name in names - {".0", "__class__"}}
            )
    found: dict[tuple[int, str], list[set[str]]] = {}
    for node, _ in descend(lower(source).body, None):
        if isinstance(node, ir.FunctionDef):
            row = source.position(node.name_start)[0]
            found.setdefault((row, node.name), []).append({demangled(name) for name in node.bound})
        elif isinstance(node, ir.Lambda):
            row = source.position(node.start)[0]
            found.setdefault((row, "lambda"), []).append({demangled(name) for name in node.bound})
    assert {key: sorted(map(sorted, sets)) for key, sets in found.items()} == {
        key: sorted(map(sorted, sets)) for key, sets in expected.items()
    }


def test_generators_are_known() -> None:
    module = lower(Source("m", "def a():\n  yield\ndef b():\n  return lambda: (yield)\ndef c():\n  x = yield from y\n"))
    assert [isinstance(each, ir.FunctionDef) and each.is_generator for each in module.body] == [True, False, True]


def tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from tables(child)


def demangled(name: str) -> str:
    """Return private names inside classes, as symtable gives them, without the class."""
    cut = name.find("__", 1)
    return name[cut:] if name.startswith("_") and not name.startswith("__") and cut > 0 else name
