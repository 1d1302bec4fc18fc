"""The budget of evaluation steps for an entry point, and where it is spent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from shapecheck.source import Place, Source

Spender: TypeAlias = tuple[Source, int, str]
"""A loop or a function of the program: its source, its offset there, and what it is called."""

FUEL = 200_000
OPERATION = 8
"""The evaluation steps that an operation of a library counts as: it takes so many times as long as reading a name."""


class OutOfFuel(Exception):
    """An entry point used up its budget of evaluation steps."""


@dataclass(slots=True)
class Budget:
    """The evaluation steps that are left (`fuel`), and those spent on unrolled loops and on decorators.

    `exhausted` is the number of budgets, of entry points or of single operations, that ran out in the whole analysis;
    `spent` has the steps of each function and loop, without those of what it calls or encloses, and `traced` how often.
    """

    fuel: int = FUEL
    unrolled: int = 0
    decorating: int = 0
    exhausted: int = 0
    spent: Counter[Spender] = field(default_factory=Counter)
    traced: Counter[Spender] = field(default_factory=Counter)
    _spender: Spender | None = None
    _since: int = FUEL

    def renew(self, fuel: int) -> None:
        """Start the budget of another entry point."""
        self._charge(None)
        self.fuel, self.unrolled, self.decorating = fuel, 0, 0
        self._since = fuel

    @contextmanager
    def charging(self, spender: Spender) -> Iterator[None]:
        """Charge the steps within the context to a function or a loop."""
        before = self._charge(spender)
        self.traced[spender] += 1
        try:
            yield
        finally:
            self._charge(before)

    def _charge(self, spender: Spender | None) -> Spender | None:
        """Charge the steps from here on; return what was charged before."""
        before = self._spender
        if before is not None:
            self.spent[before] += self._since - self.fuel
        self._spender, self._since = spender, self.fuel
        return before

    def most_expensive(self, most: int) -> dict[str, int]:
        """Return the functions and loops that took most steps, each as a line of text."""
        lines: dict[str, int] = {}
        for spender, steps in self.spent.most_common(most):
            source, start, name = spender
            lines[f"{Place(source, start, start)}: {name}, traced {self.traced[spender]} times"] = steps
        return lines

    def consume(self, steps: int = 1) -> None:
        """Take evaluation steps; raises OutOfFuel."""
        self.fuel -= steps
        if self.fuel < 0:
            raise OutOfFuel
