"""The loops that are running, and the numbers that have another value in each of their iterations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from shapecheck.domain.values import Const, Int, Scalar, Seq, Tensor, Value
from shapecheck.shapes.shape import SCALAR
from shapecheck.shapes.size import Size
from shapecheck.shapes.size import symbols as symbols_of
from shapecheck.shapes.symbol import Symbol

COUNTERS = ("loop counter", "position in an iteration")
"""The reasons of symbols that differ from iteration to iteration."""

MANY = 20
"""The number of integers from which on one that is drawn is seldom the same as before."""


@dataclass(slots=True, eq=False)
class RunningLoop:
    """A loop that is running.

    `newest` is the last heap address that was used before it, `since` the serial of an unknown as old as the loop,
    `steps` the number of steps before it, `floats` are the items that are arrays of one float. If one iteration stands
    for all of them (`is_summary`), `counters` and `scalars` (by serial) differ in each. What is to be done `at_end` is
    done when the loop has been followed.
    """

    newest: int
    since: int = 0
    steps: int = 0
    is_summary: bool = False
    counters: set[Symbol] = field(default_factory=set)
    scalars: set[int] = field(default_factory=set)
    floats: set[Tensor] = field(default_factory=set)
    at_end: list[Callable[[], None]] = field(default_factory=list)

    def note_item(self, item: Value | None) -> None:
        """Note the counters in the item of each iteration, and floats, two of which are seldom equal."""
        parts = item.items if isinstance(item, Seq) else (item,)
        self.scalars.update(part.serial for part in parts if isinstance(part, Scalar) and part.kind == "float")
        scalars = (part for part in parts if isinstance(part, Tensor) and part.step and part.shape == SCALAR)
        self.floats.update(part for part in scalars if (part.dtype or "").startswith("float"))
        sizes = (part.size for part in parts if isinstance(part, Int))
        self.counters.update(symbol for size in sizes for symbol in size.symbols() if symbol.why in COUNTERS)


@dataclass(slots=True)
class RunningLoops:
    """The loops that are running, from the outermost inwards.

    `imported` are the ranges of heap addresses that were used while modules were executed, which no loop repeats.
    """

    loops: list[RunningLoop] = field(default_factory=list)
    imported: list[range] = field(default_factory=list)

    def is_imported(self, address: int) -> bool:
        """Return whether the object at an address was made while a module was executed."""
        return any(address in addresses for addresses in self.imported)

    def counts(self, size: Size) -> bool:
        """Return whether a size is a linear function of the number of an iteration."""
        found = symbols_of(size)
        if isinstance(size, int) or not any(found & loop.counters for loop in self.loops):
            return False
        return all(isinstance(atom, Symbol) for atom in size.atoms())

    def varies(self, value: Value) -> bool:
        """Return whether a number or text has another value in each iteration of a loop."""
        if isinstance(value, Scalar):
            return any(value.serial in loop.scalars for loop in self.loops)
        return isinstance(value, Int) and self.counts(value.size)

    def note_float(self, value: Value) -> Value:
        """Return a value after noting it, if it is a float, as one that differs in each iteration."""
        if self.loops and isinstance(value, Scalar) and value.kind == "float":
            self.loops[-1].scalars.add(value.serial)
        return value

    def note_drawn(self, value: Value, bounds: Iterable[Value]) -> Value:
        """Return a number that is drawn at random after noting it, if few iterations have the same one: a float, or an
        integer within bounds that are known to be far from each other."""
        if self.loops and isinstance(value, Int):
            known = [bound.value if isinstance(bound, Const) else None for bound in bounds]
            numbers = [bound for bound in known if isinstance(bound, int)]
            if len(numbers) == len(known) > 0 and max(numbers) - (min(numbers) if numbers[1:] else 0) >= MANY:
                self.loops[-1].counters.update(value.size.symbols())
        return self.note_float(value)

    @contextmanager
    def running(self, loop: RunningLoop) -> Iterator[RunningLoop]:
        """Run a loop within the context."""
        self.loops.append(loop)
        try:
            yield loop
        finally:
            self.loops.pop()
        for act in loop.at_end:
            act()

    @contextmanager
    def importing(self, address: Callable[[], int]) -> Iterator[None]:
        """Execute a module within the context; `address` returns a new heap address."""
        kept, self.loops, first = self.loops, [], address()
        try:
            yield
        finally:
            self.loops = kept
            if kept:
                self.imported.append(range(first, address()))

    def derive(self, result: Value, operands: Iterable[Value]) -> Value:
        """Return a result that is computed from operands, and note that it differs in each iteration if they do."""
        is_number = type(result) is Scalar and result.kind != "bool"
        if self.loops and is_number and any(self.varies(each) or self._gives_float(each, result) for each in operands):
            self.loops[-1].scalars.add(result.serial)  # type: ignore[union-attr]
        return result

    def _gives_float(self, value: Value, result: Value) -> bool:
        """Return whether a float is made of the item of a loop over an array of floats, which are seldom equal."""
        is_float = isinstance(result, Scalar) and result.kind == "float"
        return is_float and isinstance(value, Tensor) and any(value in loop.floats for loop in self.loops)
