"""Why a parameter list refuses the arguments of a call."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches

from shapecheck import ir


def refusal(
    params: Sequence[ir.Param], defaults: Collection[str], given: int, before: int, keywords: Collection[str]
) -> str:
    """Return why parameters refuse a number of positional arguments, of which some come before the given ones, and
    these keywords; "" if they accept them.
    """
    kinds = {param.kind for param in params}
    plain = [param for param in params if param.kind in ("plain", "positional")]
    named = {param.name for param in params if param.kind in ("plain", "keyword")}
    taken = len(plain) - before
    if given > taken and "*" not in kinds:
        return f"{_count(given)} given by position, the function takes {taken or 'none'}"
    if "**" not in kinds and (unknown := [name for name in keywords if name not in named]):
        return f"the function has no parameter {unknown[0]}{_meant(unknown[0], named - set(keywords))}"
    at_place = plain[: before + given]
    if twice := [param.name for param in at_place if param.kind == "plain" and param.name in keywords]:
        return f"{twice[0]} is given twice"
    later = plain[before + given :] + [param for param in params if param.kind == "keyword"]
    optional = {*keywords, *defaults}
    missing = [param.name for param in later if param.name not in optional and param.default is None]
    return f"no argument is given for {missing[0]}" if missing else ""


def _meant(name: str, others: Collection[str]) -> str:
    near = get_close_matches(name, sorted(others), 1, 0.7)
    return f", did you mean {near[0]}?" if near else ""


def _count(number: int) -> str:
    return "1 argument is" if number == 1 else f"{number} arguments are"
