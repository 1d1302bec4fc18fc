"""Constraints on data that is given to a built model: agreement with the declared inputs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    NONE,
    Choice,
    Const,
    Dict,
    HomogeneousSeq,
    Int,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_str,
    walk,
)
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.split_parts import are_mixed
from shapecheck.models.layers.structure import data, is_symbolic, leaves
from shapecheck.shapes.facts import FALSE, AllOf, AnyOf, Claim, Equal, Verdict
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size, symbols


def check_feed(
    ctx: Context, name: str, given: Tensor, declared: Tensor, strict: bool = True, *, called: bool = False
) -> bool:
    """State that an array fits a declared input, batch aside; return False if it certainly does not.

    Built models add or drop a last axis of size 1 on their own.  Sequential models of Keras 3 are not `strict`: they
    only compare ranks, and the layers check the sizes. So does a call of a functional model in Keras before 2.4.
    """
    strict = strict and not (called and ctx.target.keras != 3 and (ctx.target.dated or ctx.target.tensorflow == 1))
    if given.shape.tail is not None or declared.shape.tail is not None or not given.shape.head:
        return True
    claims = tuple(_fits(data, declared.shape, strict) for data in _readings(given.shape, declared.shape))
    if _is_cut(given.shape, declared.shape):
        claims = (_fits(Shape(given.shape.head[:-1]), Shape(declared.shape.head[:-1]), strict),)
    if not claims and ctx.target.keras != 3 and (called or len(given.shape.head) != 1):
        # Keras 2 leaves the rank to the layers; vectors that are not given in a call have become columns before
        claims = (_fits(given.shape, declared.shape, True),)
        is_open = called and ctx.target.dated and ctx.target.keras is None  # some versions only ask the layers
        if is_open or ctx.known(claims[0]) is not Verdict.NEVER:
            return True
    if not claims:
        ctx.require(ClashKind.FEED, AnyOf(()), _message(ctx, name, given, declared), given, declared)
        return False
    claim: Claim = claims[0] if len(claims) == 1 else AnyOf(claims)
    if _is_left_open(declared.shape) and ctx.known(claim) is not Verdict.NEVER:
        return True
    verdict = ctx.require(ClashKind.FEED, claim, _message(ctx, name, given, declared), given, declared)
    return verdict is not Verdict.NEVER


def is_strict(ctx: Context, model: Ref) -> bool:
    """Return whether sizes are compared with the declared ones: by all but the Sequential models of Keras 3, and those
    of Keras 2 whose shape was only given to `build`.
    """
    by_build = ctx.get(model, "@by_build") is not None
    return ctx.get(model, "@inputs") is not None or (ctx.target.keras == 2 and not by_build)


def notice_rank(ctx: Context, given: Value, declared: Value, made: Value) -> None:
    """Notice data of another rank than a model declares which its layers accept all the same."""
    if not isinstance(given, Tensor) or not isinstance(declared, Tensor) or ctx.target.tensorflow == 1:
        return
    shape, wanted = given.shape, declared.shape
    if not ctx.target.is_unmarked or shape.tail is not None or wanted.tail is not None or len(shape.head) < 2:
        return
    if _readings(shape, wanted) or not all(isinstance(out, Tensor) and out.shape.tail is None for out in leaves(made)):
        return
    ctx.notice(ClashKind.VERSION, f"{_message(ctx, 'x', given, declared)}, which Keras 3 rejects", given, declared)


def _is_left_open(declared: Shape) -> bool:
    """Return whether an axis of an input was not followed: where it is None, data of one size implies nothing for
    others.
    """
    return any(symbol.kind is Kind.LOST for size in declared.head for symbol in symbols(size))


def check_count(ctx: Context, declared: Sequence[Tensor], values: Sequence[Value], given: Value) -> None:
    """State that a model is given as many arrays as it has inputs.

    Keras 2 accepts more if they are symbolic, and feeds no input that is made of a tensor.
    """
    if not values or not all(isinstance(value, Tensor) for value in values) or NONE in walk(given):
        return  # None may be given for an optional input
    wanted = len(declared)
    fed = sum(tensor.role == "placeholder" for tensor in declared)
    if ctx.target.keras != 3 and (len(values) == fed or (len(values) > wanted and is_symbolic(*values))):
        return
    given_so_many = "1 is" if len(values) == 1 else f"{len(values)} are"
    inputs = "1 input" if wanted == 1 else f"{wanted} inputs"
    ctx.require(ClashKind.FEED, FALSE, f"the model takes {inputs}, {given_so_many} given", given)


def _message(ctx: Context, name: str, given: Tensor, declared: Tensor) -> str:
    shape = given.shape.map(ctx.resolve)
    return f"{name} has shape {shape}, the model takes {declared.shape}"


def _readings(data: Shape, declared: Shape) -> Sequence[Shape]:
    """Return the forms in which Keras may read the data: as it is, or with a last axis of size 1 added or dropped."""
    difference = len(data.head) - len(declared.head)
    if difference == 0:
        return (data,)
    if difference == 1 and may_be_one(data.head[-1]):
        return (Shape(data.head[:-1]),)
    if difference == -1 and may_be_one(declared.head[-1]):
        return (Shape((*data.head, 1)),)
    return ()


def _is_cut(data: Shape, declared: Shape) -> bool:
    """Return whether Keras compares shapes without a last axis of size 1 and then adds such an axis."""
    return len(data.head) == len(declared.head) - 1 and data.head[-1] == 1 == declared.head[-1]


def may_be_one(size: Size) -> bool:
    """Return whether an axis of this size may be a surplus axis of size 1."""
    return size == 1 or not isinstance(size, int)


def _fits(data: Shape, declared: Shape, strict: bool) -> Claim:
    if not strict:
        return AllOf(())
    ends = 1 in (*data.head[-1:], *declared.head[-1:])  # Keras compares without a last axis of size 1
    pairs = list(zip(data.head[1:], declared.head[1:], strict=False))[: len(declared.head) - 1 - ends]
    return AllOf(tuple(Equal(size, wanted) for size, wanted in pairs if not is_dynamic(wanted) and size != wanted))


def is_dynamic(size: Size) -> bool:
    """Return whether a size was declared as None, or depends on one that was."""
    return any(symbol.kind is Kind.DYNAMIC for symbol in symbols(size))


def check_rows(ctx: Context, parts: Sequence[tuple[str, Tensor]]) -> bool:
    """State that all arrays have the same number of samples; return whether they may have."""
    sized = [(name, tensor, tensor.shape.head[0]) for name, tensor in parts if tensor.shape.head]
    for (name, tensor, rows), (other, second, count) in itertools.pairwise(sized):
        if rows != count and not are_mixed(ctx, (name, other), tensor, second):
            message = f"{name} has {ctx.resolve(rows)} rows, {other} has {ctx.resolve(count)}"
            if ctx.require(ClashKind.AXIS, Equal(rows, count), message, tensor, second) is Verdict.NEVER:
                return False
    return True


def check_form(ctx: Context, name: str, value: Value, beside: Value = NONE) -> bool:
    """State that data is not a list of numbers, which Keras 3 reads as that many inputs without axes, and newer
    versions of Keras 2 reject beside an array.
    """
    given = ctx.freeze(value)
    is_list = isinstance(given, (Seq, HomogeneousSeq)) and given.kind == "list" and isinstance(data(given), Tensor)
    if ctx.target.keras == 3 and is_list:
        ctx.require(ClashKind.FEED, FALSE, f"{name} is a list of numbers, not an array", value)
        return False
    if ctx.target.tensorflow != 1 and is_list and isinstance(ctx.freeze(beside), Tensor):
        ctx.notice(
            ClashKind.VERSION, f"{name} is a list of numbers beside an array, which TensorFlow rejects since 2.2"
        )
    return True


def check_tuples(ctx: Context, given: Value) -> None:
    """State that a generator gives tuples, where Keras 2 accepts lists of inputs and targets, or inputs alone."""
    element = ctx.freeze(given.element) if isinstance(given, HomogeneousSeq) and given.kind == "generator" else NONE
    is_list = isinstance(element, Seq) and element.kind == "list" and len(element.items) in (2, 3)
    if not is_list and not isinstance(element, Tensor):
        return
    said = f"the generator gives {'a list of inputs and targets' if is_list else 'an array'}, not a tuple"
    if ctx.target.keras == 3:
        ctx.require(ClashKind.FEED, FALSE, said, given)
    elif ctx.target.is_unmarked:
        ctx.notice(ClashKind.VERSION, f"{said}, which Keras 3 rejects", given)


def check_no_lists(ctx: Context, source: Value, batch: Value) -> None:
    """State that batches of a generator, or of a `Sequence` of the program, hold no lists: on TensorFlow, Keras 3
    makes a data set of them, whose structures are tuples and dictionaries.
    """
    if any(isinstance(value, (Seq, HomogeneousSeq)) and value.kind == "list" for value in walk(batch)):
        _refuse_batches(ctx, source, "a batch holds a list of arrays, not a tuple")


def check_no_numbers(ctx: Context, source: Value, batch: Value) -> None:
    """State that batches of a generator, or of a `Sequence` of the program, hold no single numbers, which Keras 3
    refuses as data sets without rows.
    """
    if any(map(_is_number, leaves(batch))):
        _refuse_batches(ctx, source, "a batch holds a single number, not an array with rows")


def _refuse_batches(ctx: Context, source: Value, said: str) -> None:
    """Refuse batches of which Keras 3 makes a data set."""
    is_made_by_keras = isinstance(source, HomogeneousSeq) or ctx.get(source, "_element") is None
    if ctx.target.other_backend or not is_made_by_keras:
        return
    if ctx.target.keras == 3:
        ctx.require(ClashKind.FEED, FALSE, said, source)
    elif ctx.target.is_unmarked:
        ctx.notice(ClashKind.VERSION, f"{said}, which Keras 3 rejects", source)


def _is_number(value: Value) -> bool:
    match value:
        case Const(value=int() | float()) | Int() | Scalar(kind="int" | "float" | "bool" | "number"):
            return True
        case Tensor(shape=shape):
            return shape.rank == 0 and not value.is_rank_open
        case Choice(options=options):
            return all(_is_number(option) for _, option in options)
    return False


def check_no_texts(ctx: Context, name: str, value: Value, declared: Value | None) -> bool:
    """State that a model of numbers is given no list of texts, such as names of files."""
    given = ctx.freeze(value)
    items = given.items if isinstance(given, Seq) else ()
    if not items or any(as_str(item) is None for item in items):
        return True
    wanted = list(leaves(declared)) if declared is not None else []
    if not wanted or not all(isinstance(one, Tensor) and (one.dtype or "string") != "string" for one in wanted):
        return True
    ctx.require(ClashKind.FEED, FALSE, f"{name} is a list of strings, but the model takes numbers", value)
    return False


def check_target_count(ctx: Context, targets: Value, outputs: Value, loss: Value) -> None:
    """State that there are as many targets as outputs; Keras 2 uses a single target for all outputs, and the first of
    several for the only output. It needs none for outputs that losses by name leave out.
    """
    wanted, given = list(leaves(targets)), list(leaves(outputs))
    known = all(isinstance(value, Tensor) for value in (*wanted, *given)) and NONE not in (*walk(outputs), *walk(loss))
    if not known or not given or not wanted or len(wanted) == len(given):
        return
    if ctx.target.keras != 3 and isinstance(loss, Dict) and len(loss.items) == len(wanted):
        return
    are = "1 target is" if len(wanted) == 1 else f"{len(wanted)} targets are"
    said = f"the model has {len(given)} output{'s' * (len(given) > 1)}, {are} given"
    if ctx.target.keras == 3 or (isinstance(targets, Seq) and len(given) > 1):
        ctx.require(ClashKind.FEED, FALSE, said, targets)
    elif ctx.target.is_unmarked:
        ctx.notice(ClashKind.VERSION, f"{said}, which Keras 3 rejects")
