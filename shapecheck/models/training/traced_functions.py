"""`tf.function`: functions that are traced into graphs, and their input signatures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    NONE,
    TRUE,
    BoundLibraryMethod,
    Choice,
    Class,
    Const,
    Dict,
    Function,
    Int,
    Library,
    Lost,
    Method,
    Partial,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_str,
    items_of,
    walk,
)
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.tf_data.sources import from_spec
from shapecheck.shapes.dtype import canonical
from shapecheck.shapes.facts import FALSE as NEVER
from shapecheck.shapes.facts import Equal, Verdict
from shapecheck.shapes.shape import SCALAR
from shapecheck.shapes.text import show

CALLABLE = (Function, Method, BoundLibraryMethod, Library, Class, Partial)
CONCRETE = "concrete_signature"
SPEC = "tf.TensorSpec"


@behaviour("tf.function", "tf.compat.v1.function", "tf.contrib.eager.defun", "tf.contrib.eager.function")
def function(
    ctx: Context, func: Value = NONE, input_signature: Value = NONE, autograph: Value = TRUE, **options: Value
) -> Value:
    """Return a function that is traced into graphs; called with options alone, a decorator that keeps them."""
    options = {"input_signature": input_signature, "autograph": autograph, **options}
    if not isinstance(func, (*CALLABLE, Lost)):
        return Partial(Library("tf.function"), (), tuple(options.items()))
    signature = items_of(ctx.freeze(input_signature))
    if signature is not None and not _covers_parameters(ctx, func, len(signature)):
        return func
    return _with_graph(func, ctx.new("tf.function", **options))


def _with_graph(func: Value, graph: Ref) -> Value:
    """Return a function that the `tf.function` object traces; library functions stay as they are."""
    match func:
        case Function():
            return replace(func, graph=graph.address)
        case Method(function=inner):
            return replace(func, function=replace(inner, graph=graph.address))
        case Partial(function=inner):
            return replace(func, function=_with_graph(inner, graph))
    return func


def _covers_parameters(ctx: Context, func: Value, entries: int) -> bool:
    """State that a signature has an entry for each parameter without a default, and no others."""
    parameters = ctx.parameters(func)
    if parameters is None:
        return True
    required = sum(is_required for is_required in parameters.values())
    if required <= entries <= len(parameters):
        return True
    said = f"the signature has {_counted(entries)}, for the parameters ({', '.join(parameters)})"
    return ctx.require(ClashKind.SIGNATURE, NEVER, said, func) is not Verdict.NEVER


@behaviour("tf.function.bind")
def bind(ctx: Context, specs: Value, named: Value, initial: Value, left: Value = NONE) -> Value:
    """Return arguments by name, with the shapes and dtypes of the function's input signature; none is `left` out."""
    entries = items_of(ctx.freeze(specs))
    if entries is None or not isinstance(named, Dict) or not isinstance(initial, Dict):
        return named
    if len(entries) == len(named.items) + len(items_of(left) or ()):
        _refuse_missing(ctx, left)
    pairs = []
    for at, (name, argument) in enumerate(named.items):
        if at < len(entries):
            value = _as_specified(ctx, entries[at], ctx.freeze(argument), as_str(name) or "the argument")
            pairs.append((name, argument if isinstance(value, Lost) else value))
        else:
            _require_default(ctx, name, argument, initial.get(name), len(entries))
            pairs.append((name, argument))
    return Dict(tuple(pairs))


def _refuse_missing(ctx: Context, left: Value) -> None:
    """State that a call leaves no argument out."""
    missing = [as_str(name) or "" for name in items_of(left) or ()]
    if missing:
        ctx.require(ClashKind.SIGNATURE, NEVER, f"the call gives no argument for {', '.join(missing)}")


def _require_default(ctx: Context, name: Value, argument: Value, default: Value | None, entries: int) -> None:
    """State that an argument for which the signature has no entry has its default value."""
    if default is None and not isinstance(name, Const):
        return
    if default is None and not isinstance(name.value, str):  # type: ignore[union-attr]
        ctx.require(
            ClashKind.SIGNATURE, NEVER, f"the signature has {_counted(entries)}, more arguments are given", argument
        )
    elif isinstance(argument, Const) and isinstance(default, Const) and argument.value != default.value:
        said = f"the signature has no entry for {as_str(name)}, which must keep its default value {default.value!r}"
        ctx.require(ClashKind.SIGNATURE, NEVER, said, argument)


def _as_specified(ctx: Context, spec: Value, argument: Value, name: str) -> Value:
    """Return an argument as an entry of a signature describes it; a lost value if that is not known."""
    match spec, argument:
        case Seq(), Seq(kind="list" | "tuple"):
            return _sequence_as_specified(ctx, spec, argument, name)
        case Dict(rest=None), Dict(rest=None):
            return _dict_as_specified(ctx, spec, argument, name)
        case Seq(), Tensor(library="tf" | "np", role="tensor" | "run-time"):
            _refuse(ctx, f"{name} is a tensor, the signature takes a {spec.kind}", argument)
            return from_spec(ctx, spec)
    specified = from_spec(ctx, spec)
    if isinstance(specified, Tensor):
        _check_tensor(ctx, specified, argument, name)
        return replace(specified, trace=argument.trace) if isinstance(argument, Tensor) else specified
    return specified


def _sequence_as_specified(ctx: Context, spec: Seq, argument: Seq, name: str) -> Value:
    if spec.kind != argument.kind:
        _refuse(ctx, f"{name} is a {argument.kind}, the signature takes a {spec.kind}", argument)
    elif len(spec.items) != len(argument.items):
        said = f"{name} has {_counted(len(argument.items))}, the signature has {len(spec.items)}"
        _refuse(ctx, said, argument)
    else:
        pairs = zip(spec.items, argument.items, strict=True)
        items = tuple(_as_specified(ctx, *pair, f"{name}[{at}]") for at, pair in enumerate(pairs))
        return Seq(spec.kind, items)
    return from_spec(ctx, spec)


def _dict_as_specified(ctx: Context, spec: Dict, argument: Dict, name: str) -> Value:
    wanted, found = [{as_str(key) for key, _ in each.items} for each in (spec, argument)]
    if None in wanted or None in found:
        return from_spec(ctx, spec)
    if wanted != found:
        key = next(iter(sorted(map(str, wanted - found or found - wanted))))
        said = f"{name} has no key {key!r}" if wanted - found else f"the signature has no key {key!r}"
        _refuse(ctx, said, argument)
        return from_spec(ctx, spec)
    entries = ((key, inner, argument.get(key)) for key, inner in spec.items)
    return Dict(
        tuple(
            (key, _as_specified(ctx, inner, value, f"{name}[{as_str(key)!r}]"))
            for key, inner, value in entries
            if value
        )
    )


def _counted(entries: int) -> str:
    return f"{entries} entry" if entries == 1 else f"{entries} entries"


def _refuse(ctx: Context, said: str, argument: Value) -> None:
    ctx.require(ClashKind.SIGNATURE, NEVER, said, argument)


def _check_tensor(ctx: Context, specified: Tensor, argument: Value, name: str) -> None:
    """State that an argument fits an entry of a signature."""
    match argument:
        case Tensor(library="tf" | "np"):
            _check_shape(ctx, specified, argument, name)
            check_dtype(ctx, specified, argument, name)
        case Const(value=bool() | int() | float()) | Int() | Scalar(kind="int" | "float" | "number" | "bool"):
            _check_shape(ctx, specified, Tensor(SCALAR), name)
        case Const(value=None):
            _refuse(ctx, f"{name} is None, the signature takes a tensor", argument)


def _check_shape(ctx: Context, specified: Tensor, argument: Tensor, name: str) -> None:
    if not argument.shape.is_ranked or not specified.shape.is_ranked:
        return
    said = f"{name} has shape {show(argument.shape)}, the signature takes {show(specified.shape)}"
    ranks = Equal(argument.shape.min_rank, specified.shape.min_rank)
    if ctx.require(ClashKind.SIGNATURE, ranks, said, argument) is Verdict.NEVER:
        return
    for given, wanted in zip(argument.shape.sizes, specified.shape.sizes, strict=True):
        if isinstance(wanted, int):
            ctx.require(ClashKind.SIGNATURE, Equal(given, wanted), said, argument)


def check_dtype(ctx: Context, specified: Tensor, argument: Tensor, name: str) -> None:
    """State that a tensor has the dtype of an entry of a signature; arrays of NumPy are converted."""
    if argument.library != "tf" or argument.dtype is None or specified.dtype is None:
        return
    given, wanted = canonical(argument.dtype), canonical(specified.dtype)
    if given and wanted and given != wanted:
        ctx.require(ClashKind.SIGNATURE, NEVER, f"{name} is {given}, the signature takes {wanted}", argument)


@behaviour("tf.function.bind_concrete")
def bind_concrete(ctx: Context, specs: Value, named: Value, initial: Value, left: Value = NONE) -> Value:
    """Return arguments of one graph by name; it takes any shapes, but not other dtypes, and none is `left` out."""
    entries = items_of(ctx.freeze(specs))
    if not any(isinstance(entry, (Choice, Lost)) for entry in entries or ()):  # which may be values of Python
        _refuse_missing(ctx, left)
    if entries is not None and isinstance(named, Dict):
        for spec, (name, argument) in zip(entries, named.items, strict=False):
            specified = from_spec(ctx, spec)
            if isinstance(specified, Tensor) and isinstance(argument, Tensor):
                check_dtype(ctx, specified, argument, as_str(name) or "the argument")
    return named


@behaviour("types.FunctionType.get_concrete_function")
def concrete(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    """Return one graph of a function, which takes the dtypes of its arguments.

    Arguments that are no tensors are those of all calls, which need not give them.
    """
    code = self.function if isinstance(self, Method) else self
    if not isinstance(code, Function) or not code.graph:
        return self
    options = {name: ctx.get(Ref(code.graph, "tf.function"), name) or NONE for name in ("autograph", "input_signature")}
    given = {**dict(zip(ctx.parameters(self) or (), args, strict=False)), **keywords}
    fixed = {name: value for name, value in given.items() if _is_of_python(ctx, value)}
    kept = Dict(tuple((Const(name), value) for name, value in fixed.items()))
    graph = ctx.new("tf.function", **options, concrete_signature=Seq("tuple", args), concrete_values=kept).address
    defaults = (*(entry for entry in code.defaults if entry[0] not in given), *fixed.items())
    made = replace(code, graph=graph, defaults=defaults)
    result = replace(self, function=made) if isinstance(self, Method) else made
    _trace(ctx, result, given, items_of(ctx.freeze(options["input_signature"])))
    return result


def _trace(ctx: Context, made: Value, given: Mapping[str, Value], signature: Sequence[Value] | None) -> None:
    """Build a graph now, for these arguments or for those of the input signature."""
    parameters = ctx.parameters(made)
    if parameters is None:
        return
    specs = given or dict(zip(parameters, signature or (), strict=False))
    if all(name in specs for name, is_required in parameters.items() if is_required):
        ctx.call(made, [], {name: _input(ctx, ctx.freeze(spec), spec) for name, spec in specs.items()})


def _input(ctx: Context, spec: Value, given: Value) -> Value:
    """Return the tensors that a structure of `tf.TensorSpec` describes; anything else as it is given."""
    return from_spec(ctx, spec) if any(isinstance(part, Ref) and part.cls == SPEC for part in walk(spec)) else given


def _is_of_python(ctx: Context, value: Value) -> bool:
    """Return whether an argument, with all its parts, belongs to the key of a trace, and not to its inputs."""
    match ctx.freeze(value):
        case Seq(items=items):
            return all(_is_of_python(ctx, item) for item in items)
        case Dict(items=pairs, rest=None):
            return all(_is_of_python(ctx, item) for _, item in pairs)
    return isinstance(value, (Const, Int, Scalar, Function, Method)) or (isinstance(value, Ref) and value.cls == "user")


@behaviour("tf.TensorSpec", "tf.contrib.framework.TensorSpec")
def tensor_spec(ctx: Context, shape: Value, dtype: Value = Library("tf.float32"), name: Value = NONE) -> Value:
    return ctx.new("tf.TensorSpec", shape=shape, dtype=dtype, name=name)


@behaviour("tf.init_scope")
def init_scope(ctx: Context) -> Value:
    """Return a context manager; what is in its body runs eagerly."""
    return ctx.new("tf.init_scope")
