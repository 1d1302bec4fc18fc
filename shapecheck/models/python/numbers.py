"""`math` and `random`: numbers that may become sizes."""

from __future__ import annotations

import math
from collections.abc import Callable

from shapecheck.domain.values import NONE, Const, HomogeneousSeq, Int, Scalar, Value, as_size, of_size
from shapecheck.models.lang import Context, behaviour
from shapecheck.shapes.size import Kind, Size

ROUNDED = ("ceil", "floor", "trunc")
INTEGER = ("comb", "factorial", "gcd", "isqrt", "lcm", "perm")
REAL = """
acos acosh asin asinh atan atan2 atanh cbrt copysign cos cosh degrees dist erf erfc exp exp2 expm1 fabs fmod fsum
gamma hypot ldexp lgamma log log10 log1p log2 nextafter pow radians remainder sin sinh sqrt sumprod tan tanh ulp
""".split()


def numbers_of(args: tuple[Value, ...]) -> list[int | float] | None:
    """Return the arguments as Python numbers, if all of them are known."""
    found: list[int | float] = []
    for arg in args:
        if not isinstance(arg, Const) or not isinstance(arg.value, (int, float)):
            return None
        found.append(arg.value)
    return found


def computed(function: Callable[..., object], args: tuple[Value, ...]) -> Const | None:
    """Return the result of a function of numbers for known numbers."""
    numbers = numbers_of(args)
    if numbers is None or any(abs(number) > 10_000 for number in numbers):
        return None
    try:
        result = function(*numbers)
    except (ValueError, OverflowError, TypeError, ZeroDivisionError):
        return None
    return Const(result) if isinstance(result, (int, float)) else None


def read_number(text: str, kind: str) -> Const | None:
    """Return the number that `int` or `float` reads from a text."""
    try:
        return Const({"int": int, "float": float}[kind](text))
    except (KeyError, ValueError):
        return None


def _real(name: str) -> None:
    function = getattr(math, name, None)

    @behaviour(f"math.{name}")
    def call(ctx: Context, *args: Value) -> Value:
        known = computed(function, args) if callable(function) else None
        return known or Scalar("float")


def _integer(name: str) -> None:
    function = getattr(math, name)

    @behaviour(f"math.{name}")
    def call(ctx: Context, *args: Value) -> Value:
        return computed(function, args) or Int(ctx.fresh(name, Kind.LOST, f"what math.{name} gives", None))


def _rounded(name: str) -> None:
    function = getattr(math, name)

    @behaviour(f"math.{name}")
    def call(ctx: Context, x: Value) -> Value:
        if (size := as_size(x)) is not None:
            return of_size(size)
        numbers = numbers_of((x,))
        if numbers is not None and math.isfinite(numbers[0]):
            return Const(function(numbers[0]))
        return Int(ctx.fresh(name, Kind.LOST, f"a number rounded by math.{name}", None))


for _name in REAL:
    _real(_name)
for _name in INTEGER:
    _integer(_name)
for _name in ROUNDED:
    _rounded(_name)


@behaviour("math.prod")
def prod(ctx: Context, iterable: Value, start: Value = Const(1)) -> Value:
    items = ctx.elements(iterable)
    sizes = [as_size(item) for item in (start, *items)] if items is not None else [None]
    total: Size = 1
    for size in sizes:
        if size is None:
            return ctx.lost("a product of unknown numbers")
        total = total * size
    return of_size(total)


# random -------------------------------------------------------------------------------------------------------------


def drawn(ctx: Context, low: Value) -> Value:
    """Return a random integer, not below `low`."""
    least = as_size(low)
    return Int(ctx.fresh("random", Kind.FREE, "drawn at random", least if isinstance(least, int) else None))


@behaviour("random.randint")
def randint(ctx: Context, a: Value, b: Value) -> Value:
    return a if a == b and as_size(a) is not None else drawn(ctx, a)


@behaviour("random.randrange")
def randrange(ctx: Context, start: Value, stop: Value = NONE, step: Value = Const(1)) -> Value:
    return drawn(ctx, Const(0) if stop == NONE else start)


@behaviour("random.getrandbits")
def getrandbits(ctx: Context, k: Value) -> Value:
    return drawn(ctx, Const(0))


@behaviour(
    *(
        f"random.{name}"
        for name in """random uniform gauss normalvariate betavariate expovariate gammavariate lognormvariate
        paretovariate triangular vonmisesvariate weibullvariate""".split()
    )
)
def draw_real(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return Scalar("float")


@behaviour("random.shuffle")
def shuffle(ctx: Context, x: Value, random: Value = NONE) -> Value:
    return NONE


@behaviour("random.choice")
def choice(ctx: Context, seq: Value) -> Value:
    return ctx.element(seq)


@behaviour("random.sample", "random.choices")
def sample(ctx: Context, population: Value, weights: Value = NONE, k: Value = NONE, **keywords: Value) -> Value:
    count = as_size(weights if k == NONE and weights != NONE else k)
    if count is None:
        count = ctx.fresh("sample", Kind.LOST, "the number of items drawn")
    return HomogeneousSeq("list", ctx.element(population), count)


@behaviour("random.Random")
def random_generator(ctx: Context, x: Value = NONE) -> Value:
    return ctx.new("random.Random")
