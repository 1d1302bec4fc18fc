"""Models whose input is not known: what was fed first tells what no other data may contradict."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Ref, Tensor, Value
from shapecheck.models.lang.context import Context
from shapecheck.models.layers.input_checks import may_be_one

LOADED = "keras.models.Loaded"
"""The class of models that another program has saved."""
_FIRST = "@fed_first"


def note_feed(ctx: Context, model: Ref, name: str, given: Value) -> None:
    """Notice data that no input takes which took what the model was fed first."""
    if not isinstance(given, Tensor) or given.shape.tail is not None or not given.shape.head:
        return
    first = ctx.get(model, _FIRST)
    if first is None:
        ctx.set(model, _FIRST, given)
    elif isinstance(first, Tensor) and (_differ_in_rank(given, first) or _differ_in_features(given, first)):
        ctx.notice(ClashKind.FEEDS_DISAGREE, f"{name} has another shape than before", given, first)


def _differ_in_rank(given: Tensor, first: Tensor) -> bool:
    """Return whether the ranks differ by more than last axes of size 1, which Keras adds and drops."""
    shorter, longer = sorted((given.shape.head, first.shape.head), key=len)
    return not all(may_be_one(size) for size in longer[len(shorter) :])


def _differ_in_features(given: Tensor, first: Tensor) -> bool:
    """Return whether the last axes, which layers have weights for, differ.

    Rows of integers may be words, as many as there are; and channels may be the first axis of a sample.
    """
    (_, *one), (_, *other) = given.shape.head, first.shape.head
    if len(one) != len(other) or not one or one[-1] == other[-1]:
        return False
    mine, its = one[-1], other[-1]
    if not isinstance(mine, int) or not isinstance(its, int):
        return False
    if len(one) == 1:
        return 1 not in (mine, its) and all((data.dtype or "").startswith("float") for data in (given, first))
    channels = one[0] if one[0] == other[0] else None
    return channels is None or (isinstance(channels, int) and channels > min(mine, its))
