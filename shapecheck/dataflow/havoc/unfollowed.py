"""Calls that are not followed inside of `with` statements, whose state they may take part in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.state.heap import AMBIENT
from shapecheck.domain.values import Dict, Seq
from shapecheck.models.lang.scopes import UNFOLLOWED

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def note_unfollowed(t: Tracer) -> None:
    """Keep the state around a call of which not all effects are known."""
    around = t.heap.get(AMBIENT)
    if not isinstance(around, Dict) or not around.items:
        return
    owner, name = UNFOLLOWED
    before = t.heap.get((owner.address, name)) or Seq("tuple", ())
    if isinstance(before, Seq) and around not in before.items:
        t.heap.set((owner.address, name), Seq("tuple", (*before.items, around)))
