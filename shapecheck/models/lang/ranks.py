"""Ranks that models which read their arguments themselves require of them."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Value
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.context import Context
from shapecheck.shapes.claims import FALSE


def require_rank(ctx: Context, name: str, value: Value, *ranks: int) -> bool:
    """Return whether an argument may have one of these ranks, after stating that; None is no operand."""
    rank = None if value == NONE else as_tensor(value, ctx).shape.rank
    if rank is None or rank in ranks:
        return True
    said = f"{name} has rank {rank}, not {' or '.join(map(str, ranks))}"
    ctx.require(ClashKind.RANK, FALSE, said, as_tensor(value, ctx))
    return False
