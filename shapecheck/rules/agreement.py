"""Agreement of words with numbers in messages: `1 column` and `2 columns`."""

from __future__ import annotations

import re

_IRREGULAR = {"axes": "axis", "entries": "entry", "indices": "index", "classes": "class"}
_REGULAR = (
    *("arrays", "bins", "channels", "colours", "columns", "components", "dtypes", "elements", "features", "groups"),
    *("images", "inputs", "items", "layers", "lists", "names", "numbers", "observations", "operands", "outputs"),
    *("parameters", "parts", "pictures", "points", "repetitions", "rows", "samples", "sets", "shapes", "shifts"),
    *("sizes", "states", "steps", "targets", "tensors", "units", "values", "variables", "weights", "widths"),
)
_NOUNS = "|".join((*_IRREGULAR, *_REGULAR))
_ONE = re.compile(rf"(?<![-+*/(] )(?<![\w.*/(])1 (?:(loop |sample |spatial )?({_NOUNS})|are)\b")
_THERE = re.compile(r"\bthere are (?=1 )")


def agreeing(message: str) -> str:
    """Return a message in which words have the number that is written before them."""
    return _THERE.sub("there is ", _ONE.sub(_singular, message))


def _singular(found: re.Match[str]) -> str:
    noun = found[2]
    if noun is None:
        return "1 is"
    return f"1 {found[1] or ''}{_IRREGULAR.get(noun, noun[:-1])}"
