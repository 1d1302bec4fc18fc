"""Answers of models: a signature with extras, or shapes and values that the model computed itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Value
from shapecheck.models.lang.apply import Application, Derived
from shapecheck.models.lang.axes import At, apply_at
from shapecheck.models.lang.constraints import LateNeed, Need, Refused
from shapecheck.models.lang.parameter_kinds import Tensor
from shapecheck.models.lang.signature import parse
from shapecheck.shapes.shape import UNRANKED, Shape

Dtypes: TypeAlias = str | tuple[str | None, ...] | None  # of all results, or of each


@dataclass(frozen=True, slots=True)
class Result:
    """Shapes (which become tensors) or whole values that a model computed itself, and their constraints."""

    outputs: tuple[Shape | Value, ...]
    needs: tuple[Need, ...] = ()
    dtype: Dtypes = None
    content: Value | None = None
    notices: tuple[tuple[ClashKind, str], ...] = ()
    nature: str = ""


def result(
    *outputs: Shape | Value,
    needs: Sequence[Need] = (),
    dtype: Dtypes = None,
    content: Value | None = None,
    notices: Sequence[tuple[ClashKind, str]] = (),
    nature: str = "",
) -> Result:
    return Result(outputs, tuple(needs), dtype, content, tuple(notices), nature)


@dataclass(frozen=True, slots=True)
class Also:
    """The known properties of a result besides its shape."""

    dtype: Dtypes = None
    content: Value | None = None
    notices: tuple[tuple[ClashKind, str], ...] = ()
    nature: str = ""


def also(
    dtype: Dtypes = None,
    content: Value | None = None,
    notices: Sequence[tuple[ClashKind, str]] = (),
    nature: str = "",
) -> Also:
    """Return an extra of an answer: the dtype (or one for each result), the content, the nature, or suspicious
    patterns as (kind, message).
    """
    return Also(dtype, content, tuple(notices), nature)


Answer: TypeAlias = str | At | Shape | Result | Value | tuple[Any, ...]


def asked(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Answer:
    """Return the answer of a model, also where it refuses the call."""
    try:
        answer: Answer = function(**arguments)
    except Refused as why:
        answer = Result((UNRANKED,), (why.need,))
    return answer


def work_out(answer: Answer, operands: Sequence[Tensor], application: Application) -> Result:
    """Return the result that an answer describes."""
    main, extras = (answer[0], answer[1:]) if isinstance(answer, tuple) else (answer, ())
    derived: dict[str, Derived] = {}
    for extra in extras:
        if isinstance(extra, Mapping):
            derived.update(extra)
    constraints = [extra for extra in extras if not isinstance(extra, (Mapping, Also))]
    worked = _main(main, operands, application, derived, constraints)
    for extra in extras:
        if isinstance(extra, Also):
            worked = replace(worked, dtype=extra.dtype or worked.dtype, notices=worked.notices + extra.notices)
            worked = replace(worked, content=extra.content if worked.content is None else worked.content)
            worked = replace(worked, nature=extra.nature or worked.nature)
    return worked


def _main(
    main: Any,
    operands: Sequence[Tensor],
    application: Application,
    derived: Mapping[str, Derived],
    constraints: Sequence[str | Need | LateNeed],
) -> Result:
    if isinstance(main, str):
        shapes = application.run(parse(main), operands, derived, constraints)
        return Result(shapes, tuple(application.needs))
    application.derive(derived)
    if isinstance(main, At):
        main = Result(apply_at(main, main.of or operands[0], application))
    for constraint in constraints:
        application.state(constraint)
    if isinstance(main, Result):
        return replace(main, needs=(*main.needs, *application.needs))
    return Result((main,), tuple(application.needs))
