"""`collections.defaultdict`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.builtins.registry import Args, Named, builtin
from shapecheck.dataflow.missing import filling
from shapecheck.source import Place
from shapecheck.values import NONE, Const, Dict, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@builtin("collections.defaultdict")
def defaultdict(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    """The first argument makes values for keys that are missing; what follows fills the dict as it fills any."""
    given = t.context.freeze(args[1], deep=False) if len(args) > 1 else Dict(())
    if not args or args[0] == NONE or not isinstance(given, Dict):
        return t.lost("a dictionary that fills itself")
    entries = dict(given.items)
    entries.update({Const(name): value for name, value in named.items()})
    return filling(t, Dict(tuple(entries.items()), given.rest), args[0])
