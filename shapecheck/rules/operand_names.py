"""Names of operands in messages: models use the names of parameters, users those of variables."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping

from shapecheck.domain.values import Ref, Seq, Tensor, Value, walk
from shapecheck.models.lang.parameter_kinds import Reading
from shapecheck.models.lang.registry import Definition
from shapecheck.rules.call import Call, item_text
from shapecheck.rules.expression_text import shortened

LONGEST_LINE = 100
LONGEST_NAME = 24
_SIDES = {0: "the left side", 1: "the right side"}
_FOLLOWED = r"(?= has\b| is\b| with\b| \(|[,;:]|$)"
_TENSORS = (Reading.TENSOR, Reading.TENSORS)


def first_line(call: Call, message: str) -> str:
    """Return `{operation}: {message}`, which must be understood alone and fit into a line."""
    spoken = named(call, message) if message == call.clash.message else message
    operations = (call.op, call.written.sign) if call.written.sign and not call.is_inner else (call.op,)
    candidates = (*(f"{operation}: {spoken}" for operation in operations), f"{call.op}: {message}")
    short = f"{call.op.rsplit('.', 1)[-1]}: {message}"
    return next((line for line in candidates if len(line) <= LONGEST_LINE), shortened(short, LONGEST_LINE))


def named(call: Call, message: str) -> str:
    """Return the message with parameters named as the user wrote the arguments, where that is short and clear."""
    written = parameters(call)
    spoken = re.compile(rf"(?<![\w.])(?<!the )({'|'.join(map(re.escape, written))})(?:\[(\d+)\])?{_FOLLOWED}")
    if not written:
        return message
    kept: set[str] = set()

    def said(match: re.Match[str]) -> str:
        name, index = match[1], match[2]
        text, value = written[name]
        if index is not None:
            text = item_text(text, int(index), len(value.items) if isinstance(value, Seq) else 0)
        elif len(text) > LONGEST_NAME and not call.written.is_call:
            text = _SIDES.get(list(written).index(name), "")
        if 0 < len(text) <= LONGEST_NAME:
            return text
        kept.add(name)
        return match[0]

    changed = spoken.sub(said, message)
    texts = [text for name, (text, _) in written.items() if name not in kept]
    is_clear = not any(re.search(rf"\b{re.escape(name)}\b", text) for name in kept for text in texts)
    return changed if is_clear else message


def parameters(call: Call) -> Mapping[str, tuple[str, Value]]:
    """Return the model's parameters that take tensors, by name, each with the text and the value of its argument."""
    model = call.step.model
    if model is None:
        return {}
    count = len(call.step.args)
    named_too = [name for name, _ in call.step.keywords if name in call.written.keywords]
    positional = _names(model.definition) if len(call.sources) == count + len(named_too) else []
    if positional and _is_method_of_object(call):
        positional = ["", *positional]
    found = dict(zip(positional, call.sources[:count], strict=False))
    keywords = call.sources[count:] if positional else call.sources[-len(named_too) :]
    found |= dict(zip((model.definition.was.get(name, name) for name in named_too), keywords, strict=False))
    names = _tensor_names(model.definition) or [name for name, (_, value) in found.items() if _holds_tensor(value)]
    return {name: found[name] for name in names if name in found}


def _is_method_of_object(call: Call) -> bool:
    """Return whether the first argument is the object whose method an operation is, such as a random generator."""
    owner = call.sources[0][1] if call.sources else None
    is_own = isinstance(owner, Ref) and call.step.name.rpartition(".")[0] == owner.cls
    return is_own and call.step.model is not None and call.step.model.definition.form == "op"


def _names(model: Definition) -> list[str]:
    """Return the parameters of a model in order; of a layer's call, those after the layer itself."""
    if model.form == "call":
        return ["", *_tensor_names(model)]
    if model.form == "op":
        return [parameter.name for parameter in model.parameters]
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [name for name, found in inspect.signature(model.function).parameters.items() if found.kind in kinds][1:]


def _tensor_names(model: Definition) -> list[str]:
    """Return the parameters that are declared to be tensors; none if the model declares nothing."""
    names = [parameter.name for parameter in model.parameters if parameter.reading in _TENSORS]
    return names or (["inputs"] if model.form == "call" else [])


def _holds_tensor(value: Value) -> bool:
    return any(isinstance(part, Tensor) for part in walk(value))
