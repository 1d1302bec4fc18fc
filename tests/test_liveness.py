"""Liveness, compared with the reads and writes on all short paths through random functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from random import Random

import pytest

from shapecheck import ir
from shapecheck.frontend.lower import lower
from shapecheck.ir.liveness import Liveness, assigned_by, assigned_in, read_in
from shapecheck.source import Source
from tests.support.seed import draws

NAMES = "abc"
MAX_CHOICES = 11  # on one path
Event = tuple[str, object]  # "read" or "write" of a name; "after" a statement; "head" of a loop


class Ended(Exception):
    """The end of a path: it returned, or makes too many choices."""


class Jumped(Exception):
    """A `break` or `continue`."""


def function(body: str) -> ir.FunctionDef:
    text = "def f():\n" + "".join(f"    {line}\n" for line in body.splitlines())
    found = lower(Source("f.py", text)).body[0]
    assert isinstance(found, ir.FunctionDef)
    return found


# --- an interpreter that records one path -----------------------------------------------------------------------------


class Path:
    """One path through a function; `choices` decides its first tests, the others are false."""

    def __init__(self, body: Sequence[ir.Stmt], choices: Sequence[bool]) -> None:
        self.events: list[Event] = []
        self.choices, self.used = choices, 0
        with suppress(Ended):
            self.run(body)

    def choose(self) -> bool:
        self.used += 1
        if self.used > MAX_CHOICES:
            raise Ended
        return self.used <= len(self.choices) and self.choices[self.used - 1]

    def read(self, part: object) -> None:
        self.events += [("read", name) for name in read_in(part)]

    def run(self, body: Sequence[ir.Stmt]) -> None:
        for statement in body:
            self.step(statement)
            self.events.append(("after", statement))

    def step(self, node: ir.Stmt) -> None:
        match node:
            case ir.If():
                self.read(node.test)
                self.run(node.body if self.choose() else node.orelse)
            case ir.While() | ir.For():
                self.loop(node)
            case ir.Jump(kind=kind) if kind != "pass":
                raise Jumped(kind)
            case ir.Return():
                self.read(node.value)
                raise Ended
            case _:
                self.read(node)
                self.events += [("write", name) for name in assigned_in(node)]

    def loop(self, node: ir.While | ir.For) -> None:
        if isinstance(node, ir.For):
            self.read(node.iter)
        while True:
            self.events.append(("head", node))
            if isinstance(node, ir.While):
                self.read(node.test)
            if not self.choose():
                break
            if isinstance(node, ir.For):
                self.events += [("write", name) for name in assigned_by([node.target])]
            try:
                self.run(node.body)
            except Jumped as jump:
                if jump.args == ("break",):
                    return
        self.run(node.orelse)


def paths(body: Sequence[ir.Stmt], choices: tuple[bool, ...] = ()) -> Iterator[Path]:
    """Yield all paths that make few choices."""
    path = Path(body, choices)
    yield path
    for place in range(len(choices), min(path.used, MAX_CHOICES)):
        yield from paths(body, (*choices, *[False] * (place - len(choices)), True))


def observed(node: ir.FunctionDef) -> dict[Event, set[str]]:
    """Return for each point of a function the names that some path reads after it, before it assigns them."""
    found: dict[Event, set[str]] = {}
    for path in paths(node.body):
        live: set[str] = set()
        for kind, what in reversed(path.events):
            if kind == "read":
                live.add(str(what))
            elif kind == "write":
                live.discard(str(what))
            else:
                found.setdefault((kind, what), set()).update(live)
    return found


# --- the tests -------------------------------------------------------------------------------------------------------


def statements(random: Random, depth: int, in_loop: bool) -> Iterator[str]:
    for _ in range(random.randint(1, 3)):
        a, b, c = random.choice(NAMES), random.choice(NAMES), random.choice(NAMES)
        forms = [f"{a} = {b} + {c}", f"{a} = 1", f"{a} += 1", f"use({a})", f"{a} = [{b} for {b} in {c}]"]
        forms += ["break", "continue"] * in_loop + [f"return {a}"] * (random.random() < 0.3)
        blocks = [f"if {a}:", f"while {a}:", f"for {a} in {b}:"] if depth else []
        form = random.choice(forms + blocks)
        yield form
        if form in blocks:
            yield from (f"    {line}" for line in statements(random, depth - 1, in_loop or form[0] != "i"))
            if random.random() < 0.5:
                yield "else:"
                yield from (f"    {line}" for line in statements(random, depth - 1, in_loop))


@pytest.mark.parametrize("number", range(60))
def test_names_are_live_where_a_path_reads_them(number: int) -> None:
    text = "\n".join([*statements(draws(f"liveness {number}"), 2, in_loop=False), "return a"])
    node = function(text)
    liveness = Liveness(node.body)
    for (kind, what), live in observed(node).items():
        found = liveness.after(what) if kind == "after" else liveness.at_head(what)  # type: ignore[arg-type]
        assert found - {"use"} == live - {"use"}, f"{kind} {what} in\n{text}"


def test_what_raises_continues_in_handlers() -> None:
    node = function("a = 1\ntry:\n    a = g()\nexcept E:\n    use(b)\nuse(a)")
    first, attempt = node.body[0], node.body[1]
    liveness = Liveness(node.body)
    assert {"b", "g"} <= liveness.after(first)
    assert liveness.after(attempt) == {"a", "use"}
