"""The budget of evaluation steps for an entry point."""

from __future__ import annotations

from dataclasses import dataclass

FUEL = 200_000


class OutOfFuel(Exception):
    """An entry point used up its budget of evaluation steps."""


@dataclass(slots=True)
class Budget:
    """The evaluation steps that are left (`fuel`), and those spent on unrolled loops and on decorators.

    `exhausted` is the number of budgets, of entry points or of single operations, that ran out in the whole analysis.
    """

    fuel: int = FUEL
    unrolled: int = 0
    decorating: int = 0
    exhausted: int = 0

    def renew(self, fuel: int) -> None:
        """Start the budget of another entry point."""
        self.fuel, self.unrolled, self.decorating = fuel, 0, 0

    def consume(self) -> None:
        """Take one evaluation step; raises OutOfFuel."""
        self.fuel -= 1
        if self.fuel < 0:
            raise OutOfFuel
