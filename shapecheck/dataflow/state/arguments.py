"""The arguments of one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from shapecheck.domain.values import Value
from shapecheck.plain_data import dataclass
from shapecheck.source import Place


@dataclass(frozen=True, slots=True)
class Arguments:
    """Positional and keyword arguments, and the place of the call.

    `is_complete` is False if starred arguments of unknown number were left out, `is_spread` says that there are starred
    ones.
    """

    place: Place
    args: Sequence[Value] = ()
    keywords: Mapping[str, Value] = field(default_factory=dict)
    is_complete: bool = True
    is_spread: bool = False

    @property
    def values(self) -> tuple[Value, ...]:
        """All arguments, positional ones first."""
        return (*self.args, *self.keywords.values())

    def after(self, first: Sequence[Value], named: Sequence[tuple[str, Value]] = ()) -> Arguments:
        """Return these arguments after others, as for a bound method or a partial call."""
        keywords = {**dict(named), **self.keywords} if named else self.keywords
        return Arguments(self.place, (*first, *self.args), keywords, self.is_complete, self.is_spread)

    def with_values(self, values: Sequence[Value]) -> Arguments:
        """Return the same call with other values, in the order of `values`."""
        count = len(self.args)
        named = dict(zip(self.keywords, values[count:], strict=True)) if self.keywords else self.keywords
        return Arguments(self.place, tuple(values[:count]), named, self.is_complete, self.is_spread)
