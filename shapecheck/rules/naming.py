"""The operands in a message by the names that the user knows: models speak of their parameters, users of variables."""

from __future__ import annotations

import re
from collections.abc import Mapping

from shapecheck.models.lang.kinds import Reading
from shapecheck.rules.call import Call, item_text
from shapecheck.rules.written import shortened
from shapecheck.values import Seq, Value

LONGEST_LINE = 100
_LONGEST_NAME = 24
_SIDES = ("the left side", "the right side")
_TENSORS = (Reading.TENSOR, Reading.TENSORS)


def first_line(call: Call, message: str) -> str:
    """`{operation}: {message}`, which must be understood alone and fit into a line."""
    candidates = (f"{call.op}: {said}" for said in (named(call, message), message))
    short = f"{call.op.rsplit('.', 1)[-1]}: {message}"
    return next((line for line in candidates if len(line) <= LONGEST_LINE), shortened(short, LONGEST_LINE))


def named(call: Call, message: str) -> str:
    """The message with parameters called as the user wrote the arguments, where that is short and clear."""
    texts = {name: text for name, (text, _) in _written(call).items() if len(text) <= _LONGEST_NAME}
    if not call.written.is_call:
        texts |= {name: side for name, side in zip(_written(call), _SIDES, strict=False) if name not in texts}
    kept = _written(call).keys() - texts.keys()
    if not texts or any(re.search(rf"\b{re.escape(name)}\b", text) for name in kept for text in texts.values()):
        return message

    def said(match: re.Match[str]) -> str:
        name, index = match[1], match[2]
        if index is None:
            return texts[name]
        value = _written(call)[name][1]
        count = len(value.items) if isinstance(value, Seq) else 0
        item = item_text(texts[name], int(index), count)
        return item if 0 < len(item) <= _LONGEST_NAME else match[0]

    names = "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))
    return re.sub(rf"(?<![\w.])({names})(?:\[(\d+)\])?(?= has\b| is\b| \(|[,;:]|$)", said, message)


def _written(call: Call) -> Mapping[str, tuple[str, Value]]:
    """The model's tensor parameters by name, each with the text and the value of its argument."""
    model = call.step.model
    if model is None or model.definition.form not in ("op", "call"):
        return {}
    tensors = [parameter.name for parameter in model.definition.parameters if parameter.reading in _TENSORS]
    names = [parameter.name for parameter in model.definition.parameters]
    if model.definition.form == "call":
        names = ["", *(tensors or ["inputs"])]
        tensors = names[1:]
    found = dict(zip(names, call.sources[: len(call.step.args)], strict=False)) if _aligned(call) else {}
    keywords = call.sources[len(call.step.args) :] if _aligned(call) else call.sources
    renamed = (model.definition.was.get(name, name) for name, _ in call.step.keywords if name in call.written.keywords)
    found |= dict(zip(renamed, keywords, strict=False))
    return {name: found[name] for name in tensors if name in found}


def _aligned(call: Call) -> bool:
    """Whether the texts of the positional arguments are known."""
    given = sum(name in call.written.keywords for name, _ in call.step.keywords)
    return len(call.sources) == len(call.step.args) + given
