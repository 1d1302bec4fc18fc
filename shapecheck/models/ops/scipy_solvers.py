"""SciPy's solvers, which call functions of the program with a vector, whatever the shape of the initial values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    BoundLibraryMethod,
    Const,
    Function,
    HomogeneousSeq,
    Library,
    Method,
    Partial,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
)
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.parameter_kinds import Tensor as Operand
from shapecheck.models.lang.ragged_lists import refused
from shapecheck.shapes.claims import FALSE as NEVER
from shapecheck.shapes.claims import AllOf, AnyOf, Equal
from shapecheck.shapes.facts import Claim, Verdict
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, product

FUNCTIONS = (Function, Method, BoundLibraryMethod, Partial, Library)
RESULT = "scipy.optimize.OptimizeResult"
BOUNDS, LINEAR = "scipy.optimize.Bounds", "scipy.optimize.LinearConstraint"
base(BOUNDS, "object")
base(LINEAR, "object")
_WITH_GRADIENT = tuple(map(Const, ("BFGS", "CG", "Newton-CG", "SLSQP", "trust-constr")))  # where it must be a vector


def vector(ctx: Context, start: Value) -> Tensor:
    """Return a vector with as many elements as there are initial values."""
    given = ctx.freeze(start)
    for need in refused(Operand("the beginning", given=given), ctx.target):
        ctx.require(need.kind, need.claim, need.message)
    shape = as_tensor(given, ctx).shape
    size: Size = product(shape.sizes) if shape.is_ranked else ctx.fresh("n", Kind.LOST, "numbers to begin with")
    return Tensor(Shape((size,)), "float64", "np")


def _more(ctx: Context, args: Value) -> tuple[Value, ...] | None:
    """Return the additional arguments of the function; None where they are not known."""
    given = ctx.freeze(args)
    if isinstance(given, Seq) and given.kind == "tuple":
        return given.items
    return () if given == NONE else None if isinstance(given, HomogeneousSeq) else (args,)


def called(ctx: Context, function: Value, given: tuple[Value, ...], args: Value) -> Value | None:
    more = _more(ctx, args)
    return None if function == NONE or more is None else ctx.call(function, [*given, *more])


# Differential equations ---------------------------------------------------------------------------------------------


@behaviour("scipy.integrate.odeint")
def odeint(
    ctx: Context,
    func: Value,
    y0: Value,
    t: Value,
    args: Value = NONE,
    *others: Value,
    tfirst: Value = FALSE,
    full_output: Value = FALSE,
    **keywords: Value,
) -> Value:
    state, time = vector(ctx, y0), Scalar("float")
    slope = called(ctx, func, (time, state) if tfirst == TRUE else (state, time), args)
    if slope is not None:
        _fits(ctx, slope, state)
    if others or full_output != FALSE:
        return ctx.lost("what a solver tells")
    times = as_tensor(ctx.freeze(t), ctx).shape.size(0)
    return Tensor(UNRANKED if times is None else Shape((times, *state.shape.sizes)), "float64", "np")


@behaviour("scipy.integrate.solve_ivp")
def solve_ivp(
    ctx: Context,
    fun: Value,
    t_span: Value,
    y0: Value,
    method: Value = NONE,
    t_eval: Value = NONE,
    *others: Value,
    args: Value = NONE,
    vectorized: Value = FALSE,
    **keywords: Value,
) -> Value:
    state = vector(ctx, y0)
    slope = called(ctx, fun, (Scalar("float"), state), args) if vectorized == FALSE else None
    if slope is not None:
        _fits(ctx, slope, state, stretches=method != Const("LSODA"))
        _is_vector(ctx, slope, method)
    times = as_tensor(ctx.freeze(t_eval), ctx).shape.size(0) if t_eval != NONE else None
    count = ctx.fresh("steps", Kind.LOST, "steps of a solver") if times is None else times
    when = Tensor(Shape((count,)), "float64", "np")
    return ctx.new("scipy.integrate.OdeResult", t=when, y=Tensor(Shape((*state.shape.sizes, count)), "float64", "np"))


def _fits(ctx: Context, slope: Value, state: Tensor, *, stretches: bool = False) -> None:
    """State that there is a derivative for each number of the state, or a single one where that broadcasts."""
    tensor = as_tensor(ctx.freeze(slope), ctx)
    rank = tensor.shape.rank
    if rank is not None and rank > 1 and not stretches:
        ctx.require(ClashKind.RANK, Equal(rank, 1), f"the function gives derivatives of rank {rank}, not 1", tensor)
    elif rank is not None and rank > 1:
        leading = tensor.shape.sizes[:-1]
        said = f"the function gives derivatives of shape {tensor.shape}, not {state.shape}"
        ctx.require(ClashKind.RANK, AllOf(tuple(Equal(size, 1) for size in leading)), said, tensor)
    elif rank is not None:
        size, (wanted,) = tensor.shape.sizes[0] if rank else 1, state.shape.sizes
        said = f"the function gives {size} {'derivative' if size == 1 else 'derivatives'} of {wanted} numbers"
        claim = AnyOf((Equal(size, wanted), Equal(size, 1))) if stretches else Equal(size, wanted)
        ctx.require(ClashKind.AXIS, claim, said, tensor, state)


def _is_vector(ctx: Context, slope: Value, method: Value) -> None:
    """State that an implicit method, which asks for each derivative, is given no single number."""
    tensor = as_tensor(ctx.freeze(slope), ctx)
    if method in (Const("Radau"), Const("BDF")) and tensor.shape == SCALAR:
        ctx.require(ClashKind.RANK, NEVER, "the function gives a number, not a vector of derivatives", tensor)


# Minima and roots ---------------------------------------------------------------------------------------------------


@behaviour("scipy.optimize.minimize")
def minimize(
    ctx: Context,
    fun: Value,
    x0: Value,
    args: Value = NONE,
    method: Value = NONE,
    jac: Value = NONE,
    hess: Value = NONE,
    *others: Value,
    **keywords: Value,
) -> Value:
    """The derivative may be named by a text instead of a function, and `jac=True` says that `fun` gives it, too."""
    state = vector(ctx, x0)
    value = called(ctx, fun, (state,), args)
    slope = called(ctx, jac, (state,), args) if isinstance(jac, FUNCTIONS) else None
    match value:
        case Seq(items=(first, second)) if jac == TRUE:
            value, slope = first, second
    _is_single(ctx, value)
    _are_for_each(ctx, keywords.get("bounds", NONE), state.shape.sizes[0])
    _meet_unknowns(ctx, keywords.get("constraints", NONE), keywords.get("bounds", NONE), state.shape.sizes[0])
    plain = keywords.keys().isdisjoint({"bounds", "constraints"}) and not others
    if slope is not None and ((method == NONE and plain) or method in _WITH_GRADIENT):
        _is_gradient(ctx, slope, state)
    if isinstance(hess, FUNCTIONS):
        called(ctx, hess, (state,), args)
    return _result(ctx, state)


@behaviour("scipy.optimize.Bounds")
def bounds(ctx: Context, lb: Value = NONE, ub: Value = NONE, *others: Value, **keywords: Value) -> Value:
    given = (Const(0.0) if limit == NONE else limit for limit in (lb, ub))
    limits = ctx.apply("np.atleast_1d", ctx.apply("np.add", *given))
    return ctx.new(BOUNDS, lb=limits, ub=limits, _low=lb, _high=ub)


@behaviour("scipy.optimize.LinearConstraint")
def linear(ctx: Context, A: Value, lb: Value = NONE, ub: Value = NONE, *rest: Value, **keywords: Value) -> Value:  # noqa: N803
    """There are limits for each row of coefficients."""
    rows = as_tensor(ctx.freeze(A), ctx)
    for limit in (lb, ub):
        if rows.shape.rank == 2 and limit != NONE:
            _is_common_or(ctx, limit, rows.shape.sizes[0], "rows")
    whole = ctx.apply("np.atleast_2d", A)
    count = whole.shape.sizes[:1] if isinstance(whole, Tensor) and whole.shape.rank == 2 else None
    limits = Tensor(UNRANKED if count is None else Shape(count), "float64", "np")
    return ctx.new(LINEAR, A=whole, lb=limits, ub=limits, _rows=rows)


def _is_common_or(ctx: Context, value: Value, count: Size, what: str) -> None:
    """State that a vector has a number for each of so many, or one for all."""
    tensor = as_tensor(ctx.freeze(value), ctx)
    if tensor.shape.rank == 1:
        (size,) = tensor.shape.sizes
        said = f"there are {ctx.resolve(size)} limits for {ctx.resolve(count)} {what}"
        ctx.require(ClashKind.AXIS, AnyOf((Equal(size, count), Equal(size, 1))), said, tensor)


def _meet_unknowns(ctx: Context, constraints: Value, limits: Value, count: Size) -> None:
    """State that rows of coefficients have a column for each unknown, and that there are bounds for each."""
    given = ctx.freeze(constraints)
    for each in given.items if isinstance(given, Seq) and given.kind == "list" else (given,):
        rows = ctx.get(each, "_rows") if isinstance(each, Ref) and each.cls == LINEAR else None
        columns = rows.shape.size(-1) if isinstance(rows, Tensor) and rows.shape.rank in (1, 2) else None
        if columns is not None:
            said = f"A has {ctx.resolve(columns)} columns for {ctx.resolve(count)} unknowns"
            ctx.require(ClashKind.AXIS, Equal(columns, count), said)
    if isinstance(limits, Ref) and limits.cls == BOUNDS:
        for name in ("_low", "_high"):
            _is_common_or(ctx, ctx.get(limits, name) or NONE, count, "unknowns")


@behaviour("scipy.optimize.milp")
def milp(ctx: Context, c: Value, *rest: Value, **keywords: Value) -> Value:
    state = vector(ctx, c)
    (count,) = state.shape.sizes
    _is_common_or(ctx, keywords.get("integrality", NONE), count, "unknowns")
    _meet_unknowns(ctx, keywords.get("constraints", NONE), keywords.get("bounds", NONE), count)
    return _result(ctx, state)


def _are_for_each(ctx: Context, bounds: Value, wanted: Size, *, may_be_common: bool = False) -> None:
    """State that there is a pair of bounds for each number."""
    given = ctx.freeze(bounds)
    pairs = given.items if isinstance(given, Seq) else ()
    if not pairs or not all(isinstance(pair, Seq) and len(pair.items) == 2 for pair in pairs):
        return
    claim: Claim = Equal(len(pairs), wanted)
    said = f"there are {len(pairs)} pairs of bounds for {ctx.resolve(wanted)} numbers"
    ctx.require(ClashKind.AXIS, AnyOf((claim, Equal(len(pairs), 1))) if may_be_common else claim, said)


@behaviour("scipy.optimize.linprog")
def linprog(
    ctx: Context,
    c: Value,
    A_ub: Value = NONE,  # noqa: N803
    b_ub: Value = NONE,
    A_eq: Value = NONE,  # noqa: N803
    b_eq: Value = NONE,
    bounds: Value = NONE,
    *others: Value,
    **keywords: Value,
) -> Value:
    """Each constraint is a row with a coefficient for each unknown, and a bound."""
    state = vector(ctx, c)
    (count,) = state.shape.sizes
    for name, rows, limits in (("ub", A_ub, b_ub), ("eq", A_eq, b_eq)):
        if rows != NONE:
            _are_linear(ctx, name, as_tensor(ctx.freeze(rows), ctx), limits, count)
    _are_for_each(ctx, bounds, count, may_be_common=True)
    return _result(ctx, state)


def _are_linear(ctx: Context, name: str, rows: Tensor, limits: Value, count: Size) -> None:
    """State that there is a bound for each row of coefficients, and a coefficient for each unknown."""
    rank = rows.shape.rank
    if rank is None:
        return
    if rank != 2:
        ctx.require(ClashKind.RANK, Equal(rank, 2), f"A_{name} has rank {rank}, not 2", rows)
        return
    height, width = rows.shape.sizes
    said = f"A_{name} has {ctx.resolve(width)} columns for {ctx.resolve(count)} unknowns"
    ctx.require(ClashKind.AXIS, Equal(width, count), said, rows)
    given = Tensor() if limits == NONE else vector(ctx, limits)
    size = given.shape.size(0)
    if size is not None:
        said = f"A_{name} has {ctx.resolve(height)} rows, b_{name} has {ctx.resolve(size)} values"
        ctx.require(ClashKind.AXIS, Equal(height, size), said, rows, given)


@behaviour("scipy.integrate.solve_bvp")
def solve_bvp(
    ctx: Context, fun: Value, bc: Value, x: Value, y: Value, p: Value = NONE, *others: Value, **keywords: Value
) -> Value:
    """A column of the values is for each place; there is a condition for each row."""
    places, values = (as_tensor(ctx.freeze(given), ctx) for given in (x, y))
    if values.shape.rank != 2 or places.shape.rank != 1:
        return ctx.lost("what a solver finds")
    (count,), (rows, columns) = places.shape.sizes, values.shape.sizes
    said = f"x has {ctx.resolve(count)} places, y has {ctx.resolve(columns)} columns"
    if ctx.require(ClashKind.AXIS, Equal(count, columns), said, places, values) is Verdict.NEVER or p != NONE:
        return ctx.lost("what a solver finds")
    slope = called(ctx, fun, (Tensor(Shape((count,)), "float64", "np"), values.with_shape(values.shape)), NONE)
    if slope is not None:
        _is_like(ctx, slope, values.shape, "the derivatives have")
    ends = called(ctx, bc, (Tensor(Shape((rows,)), "float64", "np"),) * 2, NONE)
    if ends is not None:
        _is_like(ctx, ends, Shape((rows,)), "the conditions have")
    return ctx.lost("what a solver finds")


def _is_like(ctx: Context, value: Value, wanted: Shape, said: str) -> None:
    """State that what a function gives has a shape."""
    tensor = as_tensor(ctx.freeze(value), ctx)
    rank, message = tensor.shape.rank, f"{said} shape {tensor.shape}, not {wanted}"
    if rank is not None and rank != wanted.rank:
        ctx.require(ClashKind.RANK, Equal(rank, wanted.rank or 0), message, tensor)
    elif rank is not None:
        for size, other in zip(tensor.shape.sizes, wanted.sizes, strict=True):
            ctx.require(ClashKind.AXIS, Equal(size, other), message, tensor)


def _is_single(ctx: Context, value: Value | None) -> None:
    """State that a function gives one number."""
    if isinstance(value, Tensor):
        size = value.shape.elements()
        if size is not None:
            ctx.require(ClashKind.ELEMENTS, Equal(size, 1), f"the function gives {size} values, not one number", value)


def _is_gradient(ctx: Context, slope: Value, state: Tensor) -> None:
    """State that there is a derivative for each number of the state."""
    tensor = as_tensor(ctx.freeze(slope), ctx)
    rank = tensor.shape.rank
    if rank is not None and rank > 1:
        said = f"the gradient has shape {tensor.shape}, not {state.shape}"
        ctx.require(ClashKind.RANK, Equal(rank, 1), said, tensor)
    elif rank is not None:
        _fits(ctx, tensor, state)


@behaviour("scipy.optimize.root")
def root(
    ctx: Context, fun: Value, x0: Value, args: Value = NONE, method: Value = NONE, *others: Value, **keywords: Value
) -> Value:
    state = vector(ctx, x0)
    value = called(ctx, fun, (state,), args)
    if method in (NONE, Const("hybr")) and keywords.get("jac", NONE) == NONE and not others:
        _are_equations(ctx, value, state)
    return ctx.new(RESULT, x=state, fun=state, **_told())


@behaviour("scipy.optimize.least_squares")
def least_squares(ctx: Context, fun: Value, x0: Value, *others: Value, args: Value = NONE, **keywords: Value) -> Value:
    if others:
        return ctx.lost("what a solver finds")
    state = vector(ctx, x0)
    count = are_differences(ctx, called(ctx, fun, (state,), args)).shape.elements()
    made = Tensor(Shape((ctx.fresh("m", Kind.LOST, "differences") if count is None else count,)), "float64", "np")
    return ctx.new(RESULT, x=state, fun=made, grad=state, cost=Tensor(SCALAR, "float64", "np"), **_told())


def are_differences(ctx: Context, value: Value | None) -> Tensor:
    """Return what a function gives whose squares are summed up; state that it is a vector."""
    tensor = Tensor() if value is None else as_tensor(ctx.freeze(value), ctx)
    rank = tensor.shape.rank
    if rank is not None and rank > 1:
        said = f"the function gives differences of shape {tensor.shape}, not a vector"
        ctx.require(ClashKind.RANK, Equal(rank, 1), said, tensor)
    return tensor


@behaviour("scipy.optimize.fsolve")
def fsolve(ctx: Context, func: Value, x0: Value, args: Value = NONE, *others: Value, **keywords: Value) -> Value:
    state = vector(ctx, x0)
    value = called(ctx, func, (state,), args)
    if keywords.get("fprime", NONE) == NONE and not others:
        _are_equations(ctx, value, state)
    return state if "full_output" not in keywords and not others else ctx.lost("what a solver tells")


def _are_equations(ctx: Context, value: Value | None, state: Tensor) -> None:
    """State that a function whose root is sought gives a number for each unknown."""
    tensor = Tensor() if value is None else as_tensor(ctx.freeze(value), ctx)
    rank, (wanted,) = tensor.shape.rank, state.shape.sizes
    if rank is not None and rank > 1:
        said = f"the function gives values of rank {rank}, not 1"
        ctx.require(ClashKind.RANK, Equal(rank, 1), said, tensor)
    elif rank is not None:
        size = tensor.shape.sizes[0] if rank else 1
        said = f"the function gives {size} value{_s(size)} for {wanted} unknown{_s(wanted)}"
        ctx.require(ClashKind.AXIS, Equal(size, wanted), said, tensor, state)


def _s(count: Size) -> str:
    return "" if count == 1 else "s"


def _found(ctx: Context, x0: Value, args: Value, *functions: Value) -> Value:
    state = vector(ctx, x0)
    for function in functions:
        called(ctx, function, (state,), args)
    return _result(ctx, state)


def _told() -> dict[str, Value]:
    """Return what each result tells beside its arrays, of values of its own."""
    return {"success": Scalar("bool"), "message": Scalar("str"), "status": Scalar("int"), "nfev": Scalar("int")}


def _result(ctx: Context, state: Tensor) -> Value:
    number = Tensor(SCALAR, "float64", "np")
    return ctx.new(RESULT, x=state, fun=number, **_told())


@behaviour("scipy.optimize.{differential_evolution,dual_annealing,shgo,direct}")
def within_bounds(
    ctx: Context, func: Value, bounds: Value, args: Value = NONE, *others: Value, **keywords: Value
) -> Value:
    """There is a number for each pair of bounds."""
    pairs = as_tensor(ctx.freeze(bounds), ctx).shape.size(0)
    state = Tensor(Shape((ctx.fresh("n", Kind.LOST, "bounds") if pairs is None else pairs,)), "float64", "np")
    called(ctx, func, (state,), args)
    return _result(ctx, state)


@behaviour("scipy.optimize.basinhopping")
def basinhopping(ctx: Context, func: Value, x0: Value, *others: Value, **keywords: Value) -> Value:
    return _found(ctx, x0, NONE, func)


@behaviour("scipy.optimize.{fmin_bfgs,fmin_cg}")
def descend(
    ctx: Context, f: Value, x0: Value, fprime: Value = NONE, args: Value = NONE, *others: Value, **keywords: Value
) -> Value:
    return _state(ctx, x0, args, (f, fprime), is_plain=_is_plain(keywords, others, 4))


@behaviour("scipy.optimize.{fmin,fmin_powell}")
def simplex(ctx: Context, func: Value, x0: Value, args: Value = NONE, *others: Value, **keywords: Value) -> Value:
    return _state(ctx, x0, args, (func,), is_plain=_is_plain(keywords, others, 1))


@behaviour("scipy.optimize.{fmin_tnc,fmin_l_bfgs_b}")
def bounded(
    ctx: Context, func: Value, x0: Value, fprime: Value = NONE, args: Value = NONE, *others: Value, **keywords: Value
) -> Value:
    """The solution is the first of three results."""
    state = _state(ctx, x0, args, (func, fprime), is_plain=True)
    return Seq("tuple", (state, Tensor(SCALAR, "float64", "np"), ctx.lost("what a solver tells")))


@behaviour("scipy.optimize.{fmin_slsqp,fmin_cobyla,fmin_ncg}")
def constrained(ctx: Context, func: Value, x0: Value, *others: Value, **keywords: Value) -> Value:
    """The additional arguments come late, and are not followed."""
    return _state(ctx, x0, NONE, (), is_plain=_is_plain(keywords, others, 4))


@behaviour("scipy.optimize.approx_fprime")
def approx_fprime(ctx: Context, xk: Value, f: Value, epsilon: Value = NONE, *args: Value) -> Value:
    """Return a derivative for each unknown, of each number that the function gives."""
    state = vector(ctx, xk)
    made = called(ctx, f, (state, *args), NONE)
    shape = UNRANKED if made is None else as_tensor(ctx.freeze(made), ctx).shape
    is_known = shape.rank in (0, 1)
    return Tensor(Shape((*shape.sizes, *state.shape.sizes)) if is_known else UNRANKED, "float64", "np")


def _is_plain(keywords: Mapping[str, Value], others: Sequence[Value], most: int) -> bool:
    """Return whether only the solution is asked for: with less than so many more arguments by position."""
    return not keywords.keys() & {"full_output", "retall"} and len(others) < most


def _state(ctx: Context, x0: Value, args: Value, functions: tuple[Value, ...], *, is_plain: bool) -> Value:
    state = vector(ctx, x0)
    for function in functions:
        called(ctx, function, (state,), args)
    return state if is_plain else ctx.lost("what a solver tells")


# Functions of numbers -----------------------------------------------------------------------------------------------

_NUMBER = Scalar("float")


def _gives_number(ctx: Context, func: Value, count: int, args: Value) -> None:
    """Call a function of several numbers, and state that it gives one number."""
    made = called(ctx, func, (_NUMBER,) * count, args)
    _is_single(ctx, None if made is None else ctx.freeze(made))


@behaviour("scipy.integrate.quad")
def quad(ctx: Context, func: Value, a: Value, b: Value, args: Value = NONE, *others: Value, **keywords: Value) -> Value:
    _gives_number(ctx, func, 1, args)
    return ctx.lost("what a solver tells") if others or keywords else Seq("tuple", (_NUMBER, _NUMBER))


@behaviour("scipy.integrate.dblquad")
def dblquad(
    ctx: Context, func: Value, a: Value, b: Value, gfun: Value, hfun: Value, args: Value = NONE, **keywords: Value
) -> Value:
    _gives_number(ctx, func, 2, args)
    return Seq("tuple", (_NUMBER, _NUMBER))


@behaviour("scipy.integrate.nquad")
def nquad(ctx: Context, func: Value, ranges: Value, args: Value = NONE, *others: Value, **keywords: Value) -> Value:
    given = ctx.freeze(ranges)
    if isinstance(given, Seq):
        _gives_number(ctx, func, len(given.items), args)
    return ctx.lost("what a solver tells") if others or keywords else Seq("tuple", (_NUMBER, _NUMBER))


@behaviour("scipy.optimize.{brentq,brenth,ridder,bisect,toms748}")
def bracketed(
    ctx: Context, f: Value, a: Value, b: Value, args: Value = NONE, *others: Value, **keywords: Value
) -> Value:
    _gives_number(ctx, f, 1, args)
    return ctx.lost("what a solver tells") if others or "full_output" in keywords else _NUMBER


@behaviour("scipy.optimize.minimize_scalar")
def minimize_scalar(
    ctx: Context,
    fun: Value,
    bracket: Value = NONE,
    bounds: Value = NONE,
    args: Value = NONE,
    *others: Value,
    **k: Value,
) -> Value:
    _gives_number(ctx, fun, 1, args)
    return ctx.new(RESULT, x=_NUMBER, fun=_NUMBER, success=Scalar("bool"), message=Scalar("str"))


@behaviour("scipy.optimize.fminbound")
def fminbound(
    ctx: Context, func: Value, x1: Value, x2: Value, args: Value = NONE, *others: Value, **keywords: Value
) -> Value:
    _gives_number(ctx, func, 1, args)
    return ctx.lost("what a solver tells") if others or "full_output" in keywords else _NUMBER
