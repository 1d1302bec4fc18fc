"""Repairs of keywords that a function does not have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from shapecheck.repairs.situation import Candidate, Situation

_MEANT = re.compile(r"no parameter (?P<given>\w+), did you mean (?P<meant>\w+)\?")


def keyword_renamed(s: Situation) -> Iterator[Candidate]:
    """Yield the program in which a keyword is spelt as a parameter that is much like it."""
    said = _MEANT.search(s.call.clash.message)
    if said is None or not isinstance(s.node, ast.Call):
        return
    given = said["given"]
    for keyword in s.node.keywords:
        if keyword.arg == given:
            start = s.text.source.code.rindex(given, 0, s.text.span(keyword.value)[0])
            yield s.replaced_text(0, start, start + len(given), said["meant"])
