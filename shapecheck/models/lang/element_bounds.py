"""The largest element of an array of integers, as far as the operations that made it tell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import Const, Tensor, Value, as_size
from shapecheck.models.lang.arguments import as_tensor, shape_arg
from shapecheck.models.lang.context import Context
from shapecheck.shapes.claims import FALSE
from shapecheck.shapes.size import Size

DEEPEST = 12
CERTAIN = 1e-4  # the chance that no random number is as large

CLASSES = {"mnist": 10, "fashion_mnist": 10, "cifar10": 10, "cifar100": 100, "reuters": 46, "imdb": 2}
DRAWN = {
    "np.random.randint",
    "np.random.RandomState.randint",
    "np.random.Generator.integers",
    "tf.random.uniform",
    "torch.randint",
}
KEPT = {  # operations whose result has the elements of the first argument
    *(f"{library}.{name}" for library in ("np", "tf", "keras.ops") for name in ("reshape", "expand_dims", "squeeze")),
    *(f"np.ndarray.{name}" for name in ("reshape", "astype", "copy", "flatten", "ravel", "squeeze")),
    *("np.array", "np.asarray", "np.squeeze", "np.ravel"),
    *(f"torch.Tensor.{name}" for name in ("view", "reshape", "flatten", "long", "clone", "squeeze", "unsqueeze", "to")),
    *("torch.tensor", "torch.as_tensor", "torch.from_numpy"),
    *("tf.constant", "tf.convert_to_tensor", "tf.cast", "keras.ops.cast", "keras.ops.convert_to_tensor"),
}


def outermost(numbers: Iterable[Size | None]) -> list[Size]:
    """Return the indices that are inside of an axis only if all are: of the known ones, the least and the greatest."""
    given = list(dict.fromkeys(number for number in numbers if number is not None))
    known = [number for number in given if isinstance(number, int)]
    extremes = {min(known), max(known)} if known else set()
    return [number for number in given if not isinstance(number, int) or number in extremes]


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest element: of how many equally likely ones it is drawn, and how often, 0 for one that is there."""

    value: int
    choices: int = 1
    draws: int = 0

    @property
    def is_there(self) -> bool:
        """Return whether the largest number certainly is among the elements."""
        return not self.draws or (1 - 1 / self.choices) ** self.draws < CERTAIN

    def exceeds(self, limit: int) -> bool:
        """Return whether an element certainly is at least as large as a limit."""
        if self.value < limit:
            return False
        if not self.draws:
            return True
        inside = max(limit - 1 - (self.value - self.choices), 0) / self.choices
        return inside**self.draws < CERTAIN


def largest(ctx: Context, value: Value, depth: int = DEEPEST) -> Largest | None:
    """Return the largest element of an array, if that is known."""
    if not isinstance(value, Tensor) or not depth:
        return None
    if value.content is not None:
        return _of_content(value.content)
    name, args = ctx.operation(value)
    if name in DRAWN:
        return _drawn(ctx, value, args)
    if name.startswith("keras.datasets.") and (value.dtype or "") != "object" and value.output % 2:
        classes = CLASSES.get(name.split(".")[2])
        return None if classes is None or ctx.keyword(value, "label_mode") is not None else Largest(classes - 1)
    if name in KEPT and args:
        return largest(ctx, args[0], depth - 1)
    number = as_size(args[1]) if len(args) > 1 else None
    if isinstance(number, int) and number > 0 and name.rpartition(".")[2] == "%":
        return _of_remainders(ctx, value, args[0], number)
    if isinstance(number, int) and name.rpartition(".")[2] in ("+", "-"):
        found = largest(ctx, args[0], depth - 1)
        return None if found is None else replace(found, value=found.value + (number if name[-1] == "+" else -number))
    return None


def _of_remainders(ctx: Context, value: Tensor, given: Value, divisor: int) -> Largest | None:
    """Return the largest remainder of the numbers of a long enough range."""
    name, _ = ctx.operation(given) if isinstance(given, Tensor) else ("", ())
    count = value.shape.elements()
    return Largest(divisor - 1) if name == "np.arange" and isinstance(count, int) and count >= divisor else None


def _of_content(content: Value) -> Largest | None:
    """Return the largest of elements that are all known."""
    numbers = [as_size(part) for part in values.walk(content) if not isinstance(part, values.Seq)]
    known = [number for number in numbers if isinstance(number, int)]
    return Largest(max(known)) if known and len(known) == len(numbers) else None


def _drawn(ctx: Context, value: Tensor, args: tuple[Value, ...]) -> Largest | None:
    """Return the largest of random numbers from a range, whose end is left out."""
    name, _ = ctx.operation(value)
    if name == "torch.randint" and len(args) == 2:
        args = (Const(0), *args) if as_size(args[1]) is None else args
    asked = (args[:1] if name == "tf.random.uniform" else args[2:3]) or [ctx.keyword(value, "size") or Const(None)]
    count = shape_arg(asked[0], ctx).elements()
    if not isinstance(count, int) or "int" not in (value.dtype or "") or ctx.keyword(value, "endpoint") is not None:
        return None
    at, names = (1, ("minval", "maxval")) if name == "tf.random.uniform" else (0, ("low", "high"))
    given = [args[at + k] if len(args) > at + k else ctx.keyword(value, names[k]) for k in range(2)]
    low, high = (as_size(each) if each not in (None, Const(None)) else None for each in given)
    if high is None and given[1] in (None, Const(None)) and at == 0:
        low, high = 0, low
    low = 0 if low is None and given[0] in (None, Const(None)) else low
    if not isinstance(low, int) or not isinstance(high, int) or high <= low:
        return None
    return Largest(high - 1, high - low, count)


def require_below(ctx: Context, name: str, value: Value, limit: Value, what: str) -> None:
    """State that all elements of an array are less than a limit."""
    most = as_size(limit)
    found = largest(ctx, as_tensor(value, ctx)) if isinstance(most, int) else None
    if found is None or not isinstance(most, int) or not found.exceeds(most):
        return
    verb = "is drawn from numbers up to" if found.draws else "has elements up to"
    ctx.require(ClashKind.VALUE_RANGE, FALSE, f"{name} {verb} {found.value}, there are {most} {what}", value)


def distinct(ctx: Context, value: Value) -> int | None:
    """Return how many different numbers an array of class numbers has, if that is known."""
    tensor = as_tensor(value, ctx)
    if tensor.content is not None:
        numbers = [as_size(part) for part in values.walk(tensor.content) if not isinstance(part, values.Seq)]
        return len(set(numbers)) if numbers and all(isinstance(number, int) for number in numbers) else None
    found, name = largest(ctx, tensor), ctx.operation(tensor)[0]
    if found is None:
        return None
    if found.draws:
        is_each = found.choices * (1 - 1 / found.choices) ** found.draws < CERTAIN
        return found.choices if is_each and name in DRAWN else None
    return found.value + 1 if name.rpartition(".")[2] == "%" else None
