"""Constraints of a loss on targets and outputs, and the shape of its result."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Function, Library, Method, Ref, Tensor, Value, as_str
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.element_bounds import require_below
from shapecheck.shapes.facts import AllOf, AnyOf, Claim, Equal, Verdict
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size, product

SPARSE = {"sparsecategoricalcrossentropy", "sparsecategoricalfocalcrossentropy"}
CATEGORICAL = {"categoricalcrossentropy", "categoricalfocalcrossentropy"}
BINARY = {"binarycrossentropy", "binaryfocalcrossentropy"}
SHORT = {"mse": "meansquarederror", "mae": "meanabsoluteerror", "mape": "meanabsolutepercentageerror"}
SHORT |= {"msle": "meansquaredlogarithmicerror", "kld": "kldivergence", "kullbackleiblerdivergence": "kldivergence"}
PAIRWISE = {"meansquarederror", "meanabsoluteerror", "meanabsolutepercentageerror", "meansquaredlogarithmicerror"}
PAIRWISE |= {"kldivergence", "poisson", "hinge", "squaredhinge", "categoricalhinge", "huber", "logcosh"}
PAIRWISE |= {"cosinesimilarity", "cosineproximity"}


def loss_name(loss: Value | None) -> str | None:
    """Return the plain name of a loss given as text, function or object; None for one of the program."""
    name = None if loss is None else as_str(loss)
    if isinstance(loss, Library):
        name = loss.name.rsplit(".", 1)[-1]
    elif isinstance(loss, Ref) and loss.cls.startswith("keras.losses."):
        name = loss.cls.rsplit(".", 1)[-1]
    elif isinstance(loss, (Function, Method)):
        return None
    if name is None:
        return None
    plain = re.sub("[^a-z]", "", name.lower())
    return SHORT.get(plain, plain)


def is_of_last_axis(loss: str | None) -> bool:
    """Return whether a loss gives a number for each position before the last axis."""
    return loss in PAIRWISE | BINARY | CATEGORICAL | SPARSE


def check_targets(
    ctx: Context, loss: str, target: Tensor, output: Tensor, name: str = "y", batches: Sequence[int] = ()
) -> None:
    """State the constraints of a library loss on targets and outputs in batches with the given number of rows."""
    if target.shape.tail is not None or output.shape.tail is not None or not target.shape.head or not output.shape.head:
        return
    y, out = target.shape.head[1:], output.shape.head[1:]
    if not y and len(out) == 1 and (ctx.target.keras == 2 or (ctx.target.keras is None and loss in PAIRWISE)):
        y = (1,)  # one number a sample becomes a column
    claim = _claim_of(loss, y, out, ctx.target.keras, output.nature, batches)
    newest = _claim_of(loss, y, out, 3, output.nature, batches) if ctx.target.keras is None else claim
    if newest is not None and newest != claim and ctx.known(newest) is Verdict.NEVER:
        ctx.note_version()
    if loss in SPARSE and _has_all_classes(ctx, y, out, claim):
        said = f"{name} has a column for each of the {ctx.resolve(out[-1])} classes, the sparse loss takes one class"
        ctx.notice(ClashKind.CROSS_ENTROPY, said, target, output)
    elif claim is not None:
        kind = ClashKind.BROADCAST if loss in PAIRWISE else ClashKind.CROSS_ENTROPY
        said = f"{name} has shape {target.shape.map(ctx.resolve)}, the model gives {output.shape.map(ctx.resolve)}"
        ctx.require(kind, claim, said, target, output)


def check_classes(ctx: Context, loss: Value | None, target: Tensor, output: Tensor, name: str) -> None:
    """State that the class numbers are less than the number of classes, unless a number stands for no class."""
    is_plain = not isinstance(loss, Ref) or all(
        ctx.get(loss, name) in (None, NONE) for name in ("ignore_class", "axis", "_args")
    )
    classes = output.shape.size(-1)
    if loss_name(loss) in SPARSE and is_plain and isinstance(classes, int) and classes > 1:
        require_below(ctx, name, target, Const(classes), "classes in the output")


def _has_all_classes(ctx: Context, y: Sequence[Size], out: Sequence[Size], claim: Claim | None) -> bool:
    """Return whether targets have a column for each class, of which there may be one alone, which is not classified."""
    is_open = bool(y) and y == out and not isinstance(ctx.resolve(out[-1]), int)
    return is_open and claim is not None and ctx.known(claim) is not Verdict.NEVER


def _claim_of(
    loss: str, y: tuple[Size, ...], out: tuple[Size, ...], keras: int | None, nature: str, batches: Sequence[int]
) -> Claim | None:
    """Return what a library loss requires of the sizes after the batch."""
    if loss in SPARSE:
        return sparse_claim(y, out, keras)
    is_strict = keras == 3 or (nature == "sigmoid" and not _is_squeezed(y, out))
    if loss in BINARY and is_strict and len(out) == len(y) + 1 and not isinstance(out[-1], int):
        return AllOf((Equal(out[-1], 1), *equal_all(y, out[:-1]).claims))  # which may be one column
    if loss in CATEGORICAL or (loss in BINARY and is_strict):
        return same_claim(y, out)
    return broadcast_claim(y, out, batches) if loss in BINARY | PAIRWISE else None


def _is_squeezed(y: Sequence[Size], out: Sequence[Size]) -> bool:
    """Return whether Keras 2 drops the last axis of an output, and no longer finds the logits before its activation."""
    return len(out) == max(len(y), 1) + 1 and out[-1] == 1


def same_claim(y: Sequence[Size], out: Sequence[Size]) -> Claim:
    """Return the claim that axes are equal, after Keras has added or dropped a last axis of size 1."""
    return any_of([equal_all(a, out) for a in squeezed(y, out) if len(a) == len(out)])


def broadcast_claim(y: Sequence[Size], out: Sequence[Size], batches: Sequence[int] = ()) -> Claim:
    """Return the claim that axes are equal or 1; with targets of another rank, the last ones are aligned, and a batch
    with the matching number of rows fits by accident.
    """
    fitting = [a for a in squeezed(y, out) if len(a) == len(out)]
    if not fitting:
        pairs = [(y, out), *(((rows, *y), (rows, *out)) for rows in batches)]
        return AllOf(tuple(all_stretch(reversed(a), reversed(b)) for a, b in pairs))
    return any_of([all_stretch(a, out) for a in fitting])


def all_stretch(a: Iterable[Size], b: Iterable[Size]) -> AllOf:
    """Return the claim that the sizes that two rows have in common are equal or 1."""
    return AllOf(tuple(stretches(p, q) for p, q in zip(a, b, strict=False) if p != q))


def stretches(a: Size, b: Size) -> Claim:
    """Return the claim that two sizes are equal or one of them is 1."""
    return AnyOf((Equal(a, b), Equal(a, 1), Equal(b, 1)))


def sparse_claim(y: Sequence[Size], out: Sequence[Size], keras: int | None) -> Claim:
    """Return the claim for one class number at each position: the output's axes without its last one."""
    if len(out) == len(y) + 1 > 1 and out[-1] == 1:
        out = out[:-1]  # Keras drops it before it reads the classes
    rows = tuple(out[:-1])
    forms = [y] + [y[:-1]] * (len(y) > len(rows)) + [y[:-2]] * (len(y) > len(rows) + 1)
    claims: list[Claim] = []
    for dropped, form in enumerate(forms):
        if len(form) == len(rows):
            ones = tuple(Equal(size, 1) for size in y[len(y) - dropped :] if dropped)
            claims.append(AllOf((*equal_all(form, rows).claims, *ones)))
    if keras != 3:  # earlier versions flatten both
        claims.append(Equal(product(y), product(rows)))
    return any_of(claims)


def squeezed(y: Sequence[Size], out: Sequence[Size]) -> list[Sequence[Size]]:
    """Return the target's axes as the loss may read them."""
    forms: list[Sequence[Size]] = [y]
    if len(y) == len(out) + 1 and y[-1] == 1:
        forms.append(y[:-1])
    if len(out) == len(y) + 1 and out[-1] == 1:
        forms.append((*y, 1))
    return forms


def equal_all(a: Sequence[Size], b: Sequence[Size]) -> AllOf:
    """Return the claim that two rows of sizes are equal."""
    return AllOf(tuple(Equal(x, y) for x, y in zip(a, b, strict=True) if x != y))


def any_of(claims: Sequence[Claim]) -> Claim:
    return claims[0] if len(claims) == 1 else AnyOf(tuple(claims))


def reduced(shape: Shape) -> Shape:
    """Return one loss per sample: the last axis is removed."""
    if shape.tail is None:
        return Shape(shape.head[:-1])
    return Shape(shape.head, shape.tail[:-1]) if shape.tail else Shape(shape.head, ())
