"""einops: patterns that name axes, with brackets around axes that are merged into one."""

from __future__ import annotations

import operator
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from functools import reduce as reduce_sizes
from string import ascii_letters

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import Lost, Seq, Tensor, Value, as_size, as_sizes, as_str, items_of
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.packs import foremost
from shapecheck.shapes.claims import FALSE, Claim, Divides, Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, product

Group = tuple[str, ...]
LAYERS = "einops.layers.{keras,tensorflow,torch,flax}"
ELLIPSIS = "…"
JOINED = {"np": "np.concatenate", "jax": "jax.numpy.concatenate", "torch": "torch.cat"}


@cache
def groups_of(side: str) -> tuple[Group, ...] | None:
    """Return the axes of one side of a pattern, those in brackets after a 1; None if it is not well formed."""
    text = side.replace("...", ELLIPSIS)
    if not re.fullmatch(r"(\s*(\((\s*[\w…]+)*\s*\)|[\w…]+)(?=\s|\(|$))*\s*", text):
        return None
    found = re.findall(r"\(([^()]*)\)|([^\s()]+)", text)
    return tuple((single,) if single else ("1", *inner.split()) for inner, single in found)


@dataclass
class Pattern:
    """One application of a pattern to a tensor."""

    ctx: Context
    operand: Tensor
    text: str
    sizes: dict[str, Size] = field(default_factory=dict)
    rest: tuple[Size, ...] = ()
    failed: bool = False

    def need(self, kind: ClashKind, claim: Claim, said: str) -> None:
        verdict = self.ctx.require(kind, claim, said, self.operand)
        self.failed |= verdict is verdict.NEVER

    def wrong(self, said: str) -> None:
        self.need(ClashKind.RANK, FALSE, f"{said} in {self.text!r}")

    def match(self, groups: Sequence[Group]) -> None:
        """Bind the names of the pattern to the axes of the tensor."""
        shape = self.operand.shape.head
        open_at = next((at for at, group in enumerate(groups) if group == (ELLIPSIS,)), None)
        fixed = len(groups) - (open_at is not None)
        if len(shape) < fixed or (open_at is None and len(shape) != fixed):
            said = f"the tensor has rank {len(shape)}, the pattern {self.text!r} names {fixed} axes"
            self.need(ClashKind.RANK, FALSE, said)
            return
        if open_at is not None:
            extra = len(shape) - fixed
            self.rest = shape[open_at : open_at + extra]
            shape = (*shape[:open_at], *shape[open_at + extra :])
            groups = (*groups[:open_at], *groups[open_at + 1 :])
        for group, size in zip(groups, shape, strict=True):
            self._take(group, size)

    def _take(self, group: Group, size: Size) -> None:
        if ELLIPSIS in group:
            self.failed = True  # no pattern means that
            return
        known = [self._size(name) for name in group]
        open_names = [name for name, one in zip(group, known, strict=True) if one is None]
        told = product([one for one in known if one is not None])
        if len(open_names) > 1:
            self.failed = True  # einops rejects it as well, but the lengths may be given elsewhere
        elif open_names and told != 0:
            if told != 1:
                self.need(ClashKind.AXIS, Divides(told, size), f"{size} is not a multiple of {told} in {self.text!r}")
            self.sizes[open_names[0]] = size if told == 1 else size // told
        elif not open_names:
            self.need(
                ClashKind.AXIS, Equal(size, told), f"the tensor has {size} where {' '.join(group) or '1'} is {told}"
            )

    def _size(self, name: str) -> Size | None:
        return int(name) if name.isdigit() else self.sizes.get(name)

    def build(self, groups: Sequence[Group]) -> Shape:
        """Return the axes of the other side."""
        made: list[Size] = []
        for group in groups:
            if group == (ELLIPSIS,):
                made += self.rest
                continue
            parts = [part for name in group for part in (self.rest if name == ELLIPSIS else [self._size(name)])]
            known = [part for part in parts if part is not None]
            lost = self.ctx.fresh("?", Kind.LOST, f"an axis of {self.text!r}")
            made.append(product(known) if len(known) == len(parts) else lost)
        return Shape(tuple(made))


def applied(ctx: Context, verb: str, tensor: Value, pattern: Value, lengths: Mapping[str, Value]) -> Value:
    """Return the tensor that a pattern gives."""
    given = ctx.freeze(tensor)
    if isinstance(given, Lost) and ctx.target.other_arrays:
        return ctx.lost("an array of a library that is not known")
    operand = as_tensor(given, ctx)  # a list of tensors is one tensor with a new first axis
    text = as_str(pattern)
    left, arrow, right = (text or "").partition("->")
    before, after = groups_of(left), groups_of(right)
    if text is None or not arrow or before is None or after is None:
        return _like(operand, UNRANKED)
    known = {name: size for name, length in lengths.items() if (size := as_size(length)) is not None}
    if not operand.shape.is_ranked:
        operand = operand.with_shape(_named(ctx, operand.shape, before, known))
        if isinstance(tensor, Tensor):
            ctx.refine(tensor, operand)
    if not operand.shape.is_ranked:
        return _like(operand, UNRANKED)
    work = Pattern(ctx, operand, text.strip(), dict(known))
    single = _one_sided(verb, _names_in(before), _names_in(after), lengths)
    if single:
        work.wrong(f"the axis {min(single)} stands on one side only")
    if not work.failed and len(known) == len(lengths):
        work.match(before)
    return _like(operand, UNRANKED if work.failed or len(known) < len(lengths) else work.build(after))


def _named(ctx: Context, shape: Shape, groups: Sequence[Group], given: Mapping[str, Size]) -> Shape:
    """Return a shape with the axes of a pattern, named by it; the shape itself if the pattern leaves the rank open."""
    front, back = shape.head, shape.tail or ()
    if (ELLIPSIS,) in groups or len(groups) < shape.min_rank:
        return shape
    middle = groups[len(front) : len(groups) - len(back)]
    return Shape((*front, *(_named_size(ctx, group, given) for group in middle), *back))


def _named_size(ctx: Context, group: Group, given: Mapping[str, Size]) -> Size:
    """Return the size of an axis as a pattern describes it: what is given, times one that has its name."""
    known = [int(name) if name.isdigit() else given[name] for name in group if name.isdigit() or name in given]
    names = [name for name in group if not name.isdigit() and name not in given]
    rest = [ctx.fresh(names[0] if len(names) == 1 else "?", Kind.FREE, "an axis of the pattern")] if names else []
    return product([*known, *rest])


def _names_in(groups: Iterable[Iterable[str]]) -> set[str]:
    return {name for group in groups for name in group if not name.isdigit()}


def _one_sided(verb: str, before: set[str], after: set[str], lengths: Container[str]) -> set[str]:
    """Return the axes that must stand on both sides and do not."""
    gone = before - after if verb != "reduce" else set()
    new = after - before
    return gone | {name for name in new if verb != "repeat" or name not in lengths}


def _like(operand: Tensor, shape: Shape) -> Tensor:
    return replace(operand, shape=shape, content=None, step=0, output=0, role="tensor")


@behaviour("einops.rearrange")
def rearrange(ctx: Context, tensor: Value, pattern: Value, **axes_lengths: Value) -> Value:
    return applied(ctx, "rearrange", tensor, pattern, axes_lengths)


@behaviour("einops.repeat")
def repeat(ctx: Context, tensor: Value, pattern: Value, **axes_lengths: Value) -> Value:
    return applied(ctx, "repeat", tensor, pattern, axes_lengths)


@behaviour("einops.reduce")
def reduce(ctx: Context, tensor: Value, pattern: Value, reduction: Value, **axes_lengths: Value) -> Value:
    return applied(ctx, "reduce", tensor, pattern, axes_lengths)


@behaviour("einops.parse_shape")
def parse_shape(ctx: Context, x: Value, pattern: Value) -> Value:
    """Return the size of each axis by name."""
    shape, groups = as_tensor(x, ctx).shape, groups_of(as_str(pattern) or "(")
    if groups is None or shape.tail is not None or len(groups) != len(shape.head):
        return ctx.lost("sizes by name")
    pairs = zip((group[0] for group in groups if group), shape.head, strict=False)
    return values.Dict(tuple((values.Const(name), values.of_size(size)) for name, size in pairs if name != "_"))


@behaviour("einops.einsum")
def einsum(ctx: Context, *tensors_and_pattern: Value) -> Value:
    """Return the sum of products that a pattern with names of any length describes."""
    *tensors, pattern = tensors_and_pattern
    equation = _equation(as_str(pattern) or "")
    operands = [as_tensor(tensor, ctx) for tensor in tensors]
    if equation is None or not operands:
        return ctx.lost("a pattern of einsum that is not read")
    library = foremost(operand.library for operand in operands) or "np"
    library = "tf" if library == "keras" else library
    return ctx.apply(f"{library}.einsum", values.Const(equation), *tensors)


def _equation(pattern: str) -> str | None:
    """Return a pattern with a letter for each name; None if it is not well formed."""
    if pattern.count("->") != 1 or not re.fullmatch(r"[\w\s.,]*->[\w\s.]*", pattern):
        return None
    names = list(dict.fromkeys(re.findall(r"\w+", pattern)))
    if len(names) > len(ascii_letters) or any(not name.isidentifier() for name in names):
        return None
    letters = dict(zip(names, ascii_letters, strict=False))
    return re.sub(r"\w+", lambda found: letters[found[0]], pattern).replace(" ", "")


@behaviour("einops.pack")
def pack(ctx: Context, tensors: Value, pattern: Value) -> Value:
    """Return the arrays beside each other, with the axes at `*` merged into one, and the sizes of these axes."""
    items, star = items_of(ctx.freeze(tensors)), _star(pattern)
    operands = [as_tensor(item, ctx) for item in items or ()]
    if star is None or not operands or not all(operand.shape.is_ranked for operand in operands):
        return ctx.lost("arrays that are packed")
    first, after = star
    short = next((operand for operand in operands if operand.shape.min_rank < first + after), None)
    if short is not None:
        said = f"an array has rank {short.shape.rank}, the pattern names {first + after} axes beside *"
        ctx.require(ClashKind.RANK, FALSE, said, short)
        return ctx.lost("arrays that cannot be packed")
    parts = [operand.shape.sizes[first : len(operand.shape.sizes) - after] for operand in operands]
    merged = [
        operand.with_shape(
            Shape((*operand.shape.sizes[:first], product(part), *operand.shape.sizes[first + len(part) :]))
        )
        for operand, part in zip(operands, parts, strict=True)
    ]
    joined = JOINED.get(operands[0].library, "tf.concat")
    packed = ctx.apply(joined, Seq("list", tuple(merged)), values.Const(first))
    sizes = (Seq("tuple", tuple(values.of_size(size) for size in part)) for part in parts)
    return Seq("tuple", (packed, Seq("list", tuple(sizes))))


@behaviour("einops.unpack")
def unpack(ctx: Context, tensor: Value, packed_shapes: Value, pattern: Value) -> Value:
    """Return the arrays that were packed."""
    operand, star = as_tensor(tensor, ctx), _star(pattern)
    parts = [as_sizes(each) for each in items_of(ctx.freeze(packed_shapes)) or ()]
    if star is None or not parts or not operand.shape.is_ranked or operand.shape.rank != sum(star) + 1:
        return ctx.lost("arrays that are unpacked")
    sizes = operand.shape.sizes
    if any(part is None or -1 in part for part in parts):
        return ctx.lost("arrays that are unpacked to open sizes")
    known = [part for part in parts if part is not None]
    total = reduce_sizes(operator.add, map(product, known))
    said = f"the axis {star[0]} has {sizes[star[0]]}, the parts {total} together"
    ctx.require(ClashKind.AXIS, Equal(sizes[star[0]], total), said, operand)
    made = (_like(operand, Shape((*sizes[: star[0]], *part, *sizes[star[0] + 1 :]))) for part in known)
    return Seq("list", tuple(made))


def _star(pattern: Value) -> tuple[int, int] | None:
    """Return how many axes a pattern names before and after its star."""
    names = (as_str(pattern) or "").split()
    if names.count("*") != 1 or not all(name == "*" or name.isidentifier() for name in names):
        return None
    return names.index("*"), len(names) - 1 - names.index("*")


@behaviour("einops.asnumpy")
def same(ctx: Context, tensor: Value) -> Value:
    return tensor


# Layers -------------------------------------------------------------------------------------------------------------


@behaviour(f"{LAYERS}.{{Rearrange,Reduce}}")
def layer(ctx: Context, pattern: Value, reduction: Value = values.NONE, **axes_lengths: Value) -> Value:
    lengths = values.Dict(tuple((values.Const(name), size) for name, size in axes_lengths.items()))
    verb = values.Const("rearrange" if reduction == values.NONE else "reduce")
    return ctx.new("einops.layers.keras.Rearrange", pattern=pattern, _lengths=lengths, _verb=verb)


@behaviour("einops.layers.keras.Rearrange.__call__")
def call(ctx: Context, self: Value, inputs: Value, *rest: Value, **others: Value) -> Value:
    pattern, lengths, verb = (ctx.get(self, name) for name in ("pattern", "_lengths", "_verb"))
    if pattern is None or not isinstance(lengths, values.Dict):
        return ctx.lost("a layer of einops")
    named = {as_str(key) or "": value for key, value in lengths.items}
    return applied(ctx, as_str(verb or values.NONE) or "", inputs, pattern, named)
