"""The order of rows: arrays that are shuffled, each on its own, do not correspond any more, row by row."""

from __future__ import annotations

from collections.abc import Iterable

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Library, Seq, SliceValue, Tensor, Value
from shapecheck.models.lang.context import Context

NUMBERS = Library("np.random")
"""What stands for the generator of random numbers that all programs share."""
_ORDER, _SEEDED, _SHUFFLED = "order", "_seeded", "_shuffled"
_DEEPEST = 8
_KEEPING = frozenset(
    """reshape astype array asarray expand_dims squeeze to_categorical float32 float64 cast convert_to_tensor constant
    tensor from_numpy + - * /""".split()
)
"""The last parts of the names of operations that keep the rows of their first array in order."""


def seed(ctx: Context, generator: Value) -> None:
    """Note that a generator starts anew: what is shuffled after it may come in an order that it gave before."""
    ctx.set(generator, _SEEDED, _place(ctx))


def shuffle(ctx: Context, generator: Value, array: Value) -> None:
    """Note the order that an array has from here on."""
    if isinstance(array, Tensor) and array.step:
        ctx.set(NUMBERS, _SHUFFLED, Const(True))
        seeded = ctx.get(generator, _SEEDED) or NONE
        ctx.note(array, _ORDER, Seq("tuple", (_place(ctx), generator, seeded)))


def _place(ctx: Context) -> Value:
    """Return the place of a call: those of one place, as in a function for one array, are not told apart."""
    return Const(f"{ctx.place.filename}:{ctx.place.start}")


def meet_in_order(ctx: Context, names: tuple[str, str], first: Iterable[Tensor], second: Iterable[Tensor]) -> None:
    """Notice arrays whose rows belong together, and that one generator has shuffled one after the other."""
    if ctx.get(NUMBERS, _SHUFFLED) is None:
        return
    others = list(second)
    for one in first:
        order = _order(ctx, one)
        for other in others if order is not None else ():
            found = _order(ctx, other)
            if found is not None and order is not None and found[0] != order[0] and found[1:] == order[1:]:
                said = f"the rows of {names[0]} and those of {names[1]} were shuffled apart"
                ctx.notice(ClashKind.ROWS_SHUFFLED, said, one, other)
                return


def _order(ctx: Context, array: Tensor) -> tuple[Value, ...] | None:
    """Return the order in which an array was shuffled, or what it was made from; None if it is not known."""
    for _ in range(_DEEPEST):
        noted = ctx.noted(array, _ORDER) if array.step else None
        if isinstance(noted, Seq):
            return noted.items
        name, args = ctx.operation(array)
        source = args[0] if args else NONE
        if not isinstance(source, Tensor) or not (_is_sliced(name, args) or name.rpartition(".")[2] in _KEEPING):
            return None
        array = source
    return None


def _is_sliced(name: str, args: tuple[Value, ...]) -> bool:
    """Return whether an operation takes a slice of rows, and perhaps a part of each."""
    if not name.endswith("[]") or len(args) < 2:
        return False
    index = args[1]
    first = index.items[0] if isinstance(index, Seq) and index.kind == "tuple" and index.items else index
    return isinstance(first, SliceValue)
