"""Results of several values that have names: `np.linalg.svd(x).S`. A plain tuple has no attributes."""

from __future__ import annotations

from shapecheck.domain.values import Seq, Value
from shapecheck.models.lang import Context, attribute

FIELDS = {
    "U": 0,
    "S": 1,
    "Vh": 2,
    "V": 2,
    "Q": 0,
    "R": 1,
    "sign": 0,
    "logabsdet": 1,
    "eigenvalues": 0,
    "eigenvectors": 1,
    "L": 0,
    "solution": 0,
    "residuals": 1,
    "pivots": 1,
}


def _register(name: str, place: int) -> None:
    def field(ctx: Context, self: Value) -> Value:
        known = isinstance(self, Seq) and place < len(self.items)
        return self.items[place] if known and isinstance(self, Seq) else ctx.lost("a named result")

    field.__module__ = __name__
    attribute(f"tuple.{name}")(field)


for _name, _place in FIELDS.items():
    _register(_name, _place)
