"""A second size in the place of the dtype: dtypes have numbers, so it is accepted."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rewriting import with_sizes_in_list
from shapecheck.rules.rule import rule


@rule("SHP214", Severity.WARNING, on={ClashKind.SIZE_AS_DTYPE})
def shape_as_varargs(call: Call) -> Words | None:
    if not call.is_everywhere:
        return None
    return call.says("write a shape of several sizes as one list", fix=with_sizes_in_list(call))
