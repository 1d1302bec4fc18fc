"""Branches on a tensor leave values of different kinds."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule

HELP = {
    "if": "define the variable before the if, with the same type in both branches",
    "raise": "use tf.debugging.Assert, whose condition is tested when the graph runs",
    "return": "keep the result in a variable, leave the loop by break, and return after it",
}


@rule("SHP413", Severity.ERROR, on={ClashKind.BRANCHES})
def branches_disagree(call: Call) -> Words:
    return call.says(help=HELP.get(call.name, "return the same structure and dtypes from all functions"))
