"""The exits from loops and their iterations: `break`, `continue`, and the regular end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.paths.joins import join_exits
from shapecheck.dataflow.state.frame import Loop
from shapecheck.dataflow.state.path import Exit, PathState
from shapecheck.domain.values import (
    NONE,
    Lost,
    Value,
)

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def all_exits(t: Tracer, loop: Loop, exits: Sequence[Exit], alive: bool) -> list[Exit]:
    """Return exits of the body together with its end, if control reaches that."""
    return [*exits, t.exit(loop.mark, NONE)] if alive else list(exits)


def join_at(t: Tracer, mark: int, exits: Sequence[Exit], path: PathState) -> bool:
    """Join exits at the mark where they began; return whether there are any."""
    if not exits:
        return False
    t.heap.rollback(mark)
    join_exits(t, exits, path.guards)
    return True


def leave(t: Tracer, loop: Loop, alive: bool, path: PathState) -> bool:
    """Join the exits by `break` with the regular end of the loop, if control reaches that."""
    if not loop.breaks:
        return alive
    return join_at(t, loop.mark, _with_conditions(all_exits(t, loop, loop.breaks, alive)), path)


def _with_conditions(exits: Sequence[Exit]) -> list[Exit]:
    """Return exits of a loop with a condition each, so that the values of variables on one exit stay together."""
    earlier: dict[Value, bool] = {}
    result = []
    for exit_ in exits:
        condition = Lost("exit of a loop")
        guards = {**exit_.path.guards, **earlier}
        if exit_ is not exits[-1]:
            guards[condition] = True
        result.append(replace(exit_, path=PathState(exit_.path.facts, guards)))
        earlier[condition] = False
    return result
