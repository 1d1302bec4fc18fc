"""Comparison of the prediction for an expression with the observations."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from shapecheck.domain.values import BoundLibraryMethod, Choice, Const, Int, Lost, Scalar, Tensor, Value
from shapecheck.runtime.recording.observe import Observation
from shapecheck.shapes.facts import EMPTY, Equal, Facts, Verdict
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size, symbols
from shapecheck.shapes.solve import refute
from shapecheck.shapes.symbol import Kind
from shapecheck.shapes.text import show

Cuts = Mapping[int, set[int]]

UNREACHED = "not reached by the analysis"


class Level(IntEnum):
    """The quality of a prediction, best first."""

    KNOWN = 0
    IMPRECISE = 1
    LOST = 2
    WRONG = 3


@dataclass(frozen=True, slots=True)
class Judgement:
    """The level of a prediction, the reason why it is no better, and its text."""

    level: Level
    reason: str = ""
    predicted: str = ""


def judge(options: Sequence[Value], observations: Sequence[Observation], cuts: Cuts) -> tuple[Judgement, Observation]:
    """Return the judgement on a place on one call path, by its worst predicted observation."""
    values = [value for option in options for value in _flat(option)]
    judged = [(_judge_one(values, observation, cuts), observation) for observation in observations]
    return max(judged, key=lambda pair: pair[0].level)


STAGES = {"tf": "eager", "graph": "symbolic", "keras": "symbolic Keras tensor"}
"""The stages of tensors by the kinds of observations; other objects have the same kind at every stage."""


def judge_stage(predicted: Collection[str], observations: Sequence[Observation]) -> StageJudgement | None:
    """Return the judgement on the stages of a place; None if no stage was observed there.

    One of the stages must be predicted: the libraries may also trace code that runs eagerly.
    """
    seen = list(dict.fromkeys(STAGES[each.kind] for each in observations if each.kind in STAGES))
    if not seen:
        return None
    if any(stage in predicted for stage in seen):
        return StageJudgement(Level.KNOWN, " or ".join(filter(None, predicted)), " or ".join(seen))
    if not predicted or "" in predicted:
        return StageJudgement(Level.LOST, "", " or ".join(seen))
    return StageJudgement(Level.WRONG, " or ".join(predicted), " or ".join(seen))


@dataclass(frozen=True, slots=True)
class StageJudgement:
    """The level of a prediction of stages, the stages predicted and those observed."""

    level: Level
    predicted: str
    seen: str


def stages_of(value: Value) -> Iterator[str]:
    """Yield the predicted stages of a value; an empty text where none is known."""
    for option in _flat(value):
        if not isinstance(option, Tensor) or option.role == "variable" or not (option.shape.is_ranked or option.step):
            yield ""
        elif option.library == "tf" and option.role in ("tensor", "run-time"):
            yield STAGES["graph" if option.trace else "tf"]
        else:
            yield STAGES["keras"] if option.library == "keras" else ""


def _flat(value: Value) -> Iterator[Value]:
    if isinstance(value, Choice):
        for _, option in value.options:
            yield from _flat(option)
    else:
        yield value


def _judge_one(values: Sequence[Value], observation: Observation, cuts: Cuts) -> Judgement:
    """Return the judgement by the best prediction: the place may be reached in several ways."""
    if not values:
        return Judgement(Level.LOST, UNREACHED)
    judged = [_fit(value, observation, cuts) for value in values]
    best = min(judged, key=lambda judgement: judgement.level)
    if best.level is not Level.WRONG:
        return best
    texts = dict.fromkeys(judgement.predicted for judgement in judged)
    return Judgement(Level.WRONG, best.reason, " or ".join(texts))


def _fit(value: Value, observation: Observation, cuts: Cuts) -> Judgement:
    match value:
        case Tensor():
            return _fit_shape(value.shape, observation, cuts)
        case Lost(reason=reason):
            return Judgement(Level.LOST, reason)
        case BoundLibraryMethod(name=name):
            return Judgement(Level.LOST, f"no model of the attribute {name}")
        case Const(value=bool() | int() | float() | complex()) | Int() | Scalar():
            return _fit_shape(Shape(()), observation, cuts)
    return Judgement(Level.WRONG, "not a tensor", _named(value))


def _named(value: Value) -> str:
    name = getattr(value, "cls", None) or getattr(value, "name", None) or getattr(value, "kind", None)
    return f"{type(value).__name__.lower()} {name}" if name else type(value).__name__.lower()


def _fit_shape(shape: Shape, observation: Observation, cuts: Cuts) -> Judgement:
    text = show(shape)
    if observation.shape is None:
        return Judgement(Level.KNOWN, "", text)
    if observation.shape == (0,) and _may_be_empty(shape):
        return Judgement(Level.IMPRECISE, "an empty array has only one axis", text)
    if not _ranks_fit(shape, len(observation.shape)):
        return Judgement(Level.WRONG, "rank", text)
    pairs = list(_pairs(shape, observation.shape))
    if not _sizes_fit(pairs, cuts):
        return Judgement(Level.WRONG, "size", text)
    if not shape.is_ranked:
        return Judgement(Level.IMPRECISE if shape.known else Level.LOST, "rank", text)
    reasons = [reason for size, seen in pairs if seen is not None for reason in _reasons(size)]
    return Judgement(Level.IMPRECISE, min(reasons), text) if reasons else Judgement(Level.KNOWN, "", text)


def _may_be_empty(shape: Shape) -> bool:
    """Return whether this is an array of any number of rows, possibly none, whose rows are then unknown."""
    size = shape.size(0)
    return size is not None and not isinstance(size, int) and refute(EMPTY, Equal(size, 0)) is not Verdict.NEVER


def _ranks_fit(shape: Shape, rank: int) -> bool:
    return shape.rank == rank if shape.is_ranked else shape.min_rank <= rank


def _pairs(shape: Shape, seen: tuple[int | None, ...]) -> Iterator[tuple[Size, int | None]]:
    """Yield the known axes, each with its observed size."""
    yield from zip(shape.head, seen, strict=False)
    if shape.tail:
        yield from zip(shape.tail, seen[-len(shape.tail) :], strict=True)


def _sizes_fit(pairs: Sequence[tuple[Size, int | None]], cuts: Cuts) -> bool:
    """Return whether some values of the symbols make every size the observed one."""
    facts: Facts = EMPTY
    for size, seen in pairs:
        if seen is None or (isinstance(size, int) and (size == seen or seen in cuts.get(size, ()))):
            continue
        if isinstance(size, int):
            return False
        claim = Equal(size, seen)
        if refute(facts, claim) is Verdict.NEVER:
            return False
        facts = facts.add(claim)
    return True


def _reasons(size: Size) -> list[str]:
    """Return the reasons why sizes are lost; a size that only the data determine is as precise as possible."""
    return [symbol.why or symbol.name for symbol in symbols(size) if symbol.kind is Kind.LOST]
