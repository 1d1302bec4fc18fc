"""The budget of evaluation steps for an entry point, and where it is spent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from shapecheck.source import Place, Source

Spender: TypeAlias = tuple[Source, int, str]
"""A loop or a function of the program: its source, its offset there, and what it is called."""

FUEL = 200_000
PATIENCE = 4_000
"""The evaluation steps after which what reaches no other statement is only more of the same."""
SHARE = 5
"""The part of a budget that a loop may take whose iterations are traced one by one, as those that build a model are."""
SMALL = 20_000
"""The budget, such as that of a function, of which half may go into repetition."""
LOOPS = 20
"""One part in so many of what is left of a budget may go into a loop that reaches nothing new."""
OPERATION = 8
"""The evaluation steps that an operation of a library counts as: it takes so many times as long as reading a name."""


LOOK = 500
"""The evaluation steps after which an analysis asks again whether it is still wanted."""


class OutOfFuel(Exception):
    """An entry point used up its budget of evaluation steps."""


class Unwanted(BaseException):
    """The end of an analysis that is not wanted any more."""


@dataclass(slots=True)
class Budget:
    """The evaluation steps that are left (`fuel`), and those spent on unrolled loops and on decorators, or `forgiven`.

    `reached` are the statements that were executed, by identity, and `news` is the fuel that was left when one was for
    the first time. `patience` are the steps after which what reaches nothing new is repetition, `share` those that one
    loop may take.
    `exhausted` is the number of budgets, of entry points or of single operations, that ran out in the whole analysis;
    `spent` has the steps of each function and loop, without those of what it calls or encloses, and `traced` how often.
    `is_wanted` is asked now and then, and ends the analysis.
    """

    fuel: int = FUEL
    unrolled: int = 0
    forgiven: int = 0
    decorating: int = 0
    reached: dict[int, object] = field(default_factory=dict)
    news: int = FUEL
    patience: int = PATIENCE
    share: int = FUEL
    exhausted: int = 0
    spent: Counter[Spender] = field(default_factory=Counter)
    traced: Counter[Spender] = field(default_factory=Counter)
    is_wanted: Callable[[], bool] | None = None
    _spender: Spender | None = None
    _since: int = FUEL
    _look: int = 0  # what is left of the fuel when something is to be done

    def renew(self, fuel: int) -> None:
        """Start the budget of another entry point."""
        self._charge(None)
        self.fuel, self.unrolled, self.decorating, self.forgiven = fuel, 0, 0, 0
        self._since = self.news = fuel
        self.share = max(fuel // SHARE, min(fuel, SMALL) // 2)
        self.patience = PATIENCE if fuel > SMALL else self.share
        self._look = 0 if self.is_wanted is None else fuel

    @property
    def is_repetitive(self) -> bool:
        """Return whether all that was traced for a long time had been traced before."""
        return self.news - self.fuel > self.patience

    @property
    def is_stuck(self) -> bool:
        """Return whether nothing new was reached for so long that what was traced before is not traced any more."""
        return self.news - self.fuel > self.share

    def is_wasted_on(self, steps: int) -> bool:
        """Return whether so many steps are too many for a loop that was followed before, where nothing new is reached
        for a long time."""
        return self.is_repetitive and (self.is_much(steps) or self.forgiven > self.share)

    def is_much(self, steps: int) -> bool:
        """Return whether so many steps are much for a loop, beside those that are left for everything."""
        return steps > self.fuel // LOOPS

    def forgive(self, begin: int, steps: int) -> None:
        """Let some of the steps since there were `begin` left not count as repetition, if nothing new was reached.

        No more than a share of a budget is forgiven.
        """
        if self.news >= begin:
            self.news -= steps
            self.forgiven += steps

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
        """Take evaluation steps; raises OutOfFuel and Unwanted."""
        self.fuel -= steps
        if self.fuel < self._look:
            self._ask()

    def _ask(self) -> None:
        """End the analysis if there is no fuel left, or if it is not wanted any more."""
        if self.fuel < 0:
            raise OutOfFuel
        if self.is_wanted is not None and not self.is_wanted():
            raise Unwanted
        self._look = 0 if self.is_wanted is None else max(0, self.fuel - LOOK)
