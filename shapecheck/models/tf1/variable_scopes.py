"""Variable scopes of TensorFlow 1: variables of a graph with the same name share their shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, TRUE, Const, Dict, Library, Ref, Seq, Tensor, Value, as_str
from shapecheck.models.lang import Context, attribute, behaviour
from shapecheck.models.lang.apply import same
from shapecheck.models.lang.arguments import as_tensor, dtype_name, shape_arg
from shapecheck.models.lang.parameter_kinds import Tensor as Operand
from shapecheck.models.lang.scopes import CREATED, current, has_creator
from shapecheck.models.ops.variable import needs_classic_shape
from shapecheck.shapes.shape import Shape

SCOPE = "tf.VariableScope"
EMPTY: Mapping[str, Shape | None] = MappingProxyType({})
KEY = Const("the variable scope")
TABLE = Ref(0, "tf.variables")  # the variables of the graph by their full names
MADE, SLOTS = "@made", "@slots"  # the variables in order, and whether an optimizer has made others beside them
SHARED = (TRUE, Library("tf.AUTO_REUSE"))
PLAIN = Seq("tuple", (Const("variables"), Const("trainable_variables")))


def _here(ctx: Context) -> tuple[str | None, Value]:
    """Return the name of the enclosing scope, if it is known, and whether it reuses variables."""
    around = ctx.ambient()
    if around is None:
        return "", NONE
    found = current(ctx).get(KEY)
    if found is None:
        return ("", NONE) if isinstance(around, Dict) and around.rest is None else (None, NONE)
    assert isinstance(found, Seq)
    return as_str(found.items[0]), found.items[1]


def _enter(ctx: Context, name: str | None, reuse: Value, counts: Value) -> None:
    around = current(ctx)
    entries = dict(around.items)
    entries[KEY] = Seq("tuple", (Const(name), reuse, counts))
    ctx.set_ambient(Dict(tuple(entries.items()), around.rest))


@behaviour("tf.variable_scope")
def variable_scope(
    ctx: Context,
    name_or_scope: Value = NONE,
    default_name: Value = NONE,
    *args: Value,
    reuse: Value = NONE,
    **keywords: Value,
) -> Value:
    """A scope given by name is inside the present one; without a name it gets a unique one."""
    around, inherited = _here(ctx)
    if isinstance(name_or_scope, Ref):
        path = ctx.get(name_or_scope, "_path") or NONE
        inherited = ctx.get(name_or_scope, "_reuse") or NONE
    else:
        name = as_str(name_or_scope)
        path = Const(None if name is None or around is None else f"{around}/{name}")
    shared = reuse if reuse not in (NONE, FALSE) else inherited
    return ctx.new(SCOPE, _path=path, _reuse=shared, _again=TRUE if isinstance(name_or_scope, Ref) else FALSE)


@behaviour(f"{SCOPE}.__enter__")
def enter(ctx: Context, self: Value) -> Value:
    path, reuse = ctx.get(self, "_path") or NONE, ctx.get(self, "_reuse") or NONE
    counts = NONE if ctx.get(self, "_again") == TRUE else ctx.new("tf.VariableScope.counts")
    _enter(ctx, as_str(path), reuse, counts)
    return self


@behaviour("tf.get_variable_scope")
def present_scope(ctx: Context) -> Value:
    path, reuse = _here(ctx)
    return ctx.new(SCOPE, _path=Const(path), _reuse=reuse)


@behaviour(f"{SCOPE}.reuse_variables")
def reuse_variables(ctx: Context, self: Value) -> Value:
    if isinstance(self, Ref):
        ctx.set(self, "_reuse", TRUE)
        path, _ = _here(ctx)
        if as_str(ctx.get(self, "_path") or NONE) == path:
            _enter(ctx, path, TRUE, _counts(ctx))
    return NONE


def _counts(ctx: Context) -> Value:
    """Return the counters of the default names of layers in the present scope; None where they are not known."""
    found = current(ctx).get(KEY)
    return found.items[2] if isinstance(found, Seq) else TABLE


@attribute(f"{SCOPE}.{{name,original_name_scope}}")
def scope_name(ctx: Context, self: Value) -> Value:
    return ctx.lost("the name of a scope")


@behaviour("tf.reset_default_graph", "tf.Graph.as_default")
def other_graph(ctx: Context, *args: Value, **keywords: Value) -> Value:
    """Start another graph, to which names belong from here on."""
    ctx.set(TABLE, "@graph", Const(_graph(ctx) + 1))
    return args[0] if args else NONE


def _graph(ctx: Context) -> int:
    found = entry(ctx, "@graph")
    return found.value if isinstance(found, Const) and isinstance(found.value, int) else 0


def entry(ctx: Context, name: str, table: Ref = TABLE) -> Value | None:
    try:
        return ctx.get(table, name)
    except KeyError:  # it was never set
        return None


# Variables ---------------------------------------------------------------------------------------------------------


@behaviour("tf.get_variable", "tf.get_local_variable")
def get_variable(
    ctx: Context,
    name: Value = NONE,
    shape: Value = NONE,
    dtype: Value = NONE,
    initializer: Value = NONE,
    *args: Value,
    **keywords: Value,
) -> Value:
    """With a tensor as initializer, use its shape; a shared variable keeps its shape. One in parts is no variable."""
    if has_creator(ctx):
        return ctx.lost(CREATED)
    role = "variable" if keywords.get("partitioner", NONE) == NONE else "tensor"
    if shape != NONE:
        made = Tensor(shape_arg(shape, ctx), dtype_name(dtype) or "float32", "tf", role=role)
    else:
        start = as_tensor(initializer, ctx)
        needs_classic_shape(ctx, "initializer", start)
        made = Tensor(start.shape, dtype_name(dtype) or start.dtype or "float32", "tf", role=role)
    path, reuse = _here(ctx)
    own = as_str(name)
    chosen = keywords.get("collections", NONE)
    kinds = _Kinds(_trained(keywords.get("trainable", NONE)), PLAIN if chosen == NONE else chosen)
    if own is None or path is None:
        note_made(ctx, None, made, kinds)
        return made
    return _shared(ctx, f"{path}/{own}", made, reuse, is_open=shape == NONE, kinds=kinds)


def _trained(value: Value) -> Value:
    return TRUE if value == NONE else value


@dataclass(frozen=True, slots=True)
class _Kinds:
    """Whether a variable is trained, and the collections that it is in."""

    trains: Value = TRUE
    collections: Value = PLAIN


def note_made(ctx: Context, path: str | None, made: Tensor | None, kinds: _Kinds = _Kinds()) -> None:
    """Keep a new variable by its full name; None for what is not known."""
    name = Const(None if path is None else in_graph(ctx, path))
    new = Seq("tuple", (name, made or NONE, kinds.trains, kinds.collections))
    before = entry(ctx, MADE) or Seq("tuple", ())
    ctx.set(TABLE, MADE, Seq("tuple", (*before.items, new)) if isinstance(before, Seq) else before)


def in_graph(ctx: Context, path: str) -> str:
    """Return the name of a variable or a scope in the present graph."""
    return f"{_graph(ctx)}:{path}"


def _shared(
    ctx: Context,
    path: str,
    made: Tensor,
    reuse: Value,
    *operands: Value,
    is_open: bool = False,
    kinds: _Kinds = _Kinds(),
) -> Tensor:
    """Return the variable of a name, which is an existing one if the scope reuses variables in a graph."""
    if not (ctx.target.deferred or ctx.default_graph()):
        return made  # when operations run at once, each call makes a variable of its own
    full = in_graph(ctx, path)
    before = entry(ctx, full)
    if not isinstance(before, Tensor) or reuse not in SHARED:
        ctx.set(TABLE, full, made)
        note_made(ctx, path, made, kinds)
        return made
    before = replace(before, step=0, output=0)
    return before if is_open or _fits(ctx, before, made, *operands) else made


def _fits(ctx: Context, before: Tensor, made: Tensor, *operands: Value) -> bool:
    parts = Operand("the shared variable", before.shape), Operand("the shape asked for", made.shape)
    for need in same(parts[0], before.shape, parts[1], made.shape):
        ctx.require(ClashKind.SET_SHAPE, need.claim, need.message, *(operands or (before, made)))
    return True


# Layers ------------------------------------------------------------------------------------------------------------


Home = tuple[str | None, Value]
"""The name of a scope, if it is known, and whether it reuses variables."""


def inside(ctx: Context, scope: Value, below: str = "") -> Home:
    """Return a scope that is given to a function, by name or as an object, or a default one below the present scope."""
    if isinstance(scope, Ref):
        path, reuse = as_str(ctx.get(scope, "_path") or NONE), ctx.get(scope, "_reuse") or NONE
    else:
        around, reuse = _here(ctx)
        name = as_str(scope)
        path = None if name is None or around is None else f"{around}/{name}"
    return (f"{path}/{below}" if below and path is not None else path), reuse


def weights(
    ctx: Context,
    base: str,
    name: Value,
    reuse: Value,
    shape: Shape,
    inputs: Tensor,
    home: Home | None = None,
    more: Mapping[str, Shape | None] = EMPTY,
) -> None:
    """Create the weights of a layer in the present scope, or share them. Without a name it gets one from its class,
    which is the same for all layers that reuse variables. `more` are the shapes of its other weights, as far as known.
    """
    path, inherited = home or _here(ctx)
    own = as_str(name) if name != NONE else _next_name(ctx, base)
    if name == NONE and reuse in SHARED:
        own = base
    if own is not None and path is not None:
        made = Tensor(shape, "float32", "tf", role="variable")
        is_new = entry(ctx, in_graph(ctx, f"{path}/{own}/kernel")) is None
        _shared(ctx, f"{path}/{own}/kernel", made, reuse if reuse not in (NONE, FALSE) else inherited, inputs)
        for part, size in more.items() if is_new else ():
            note_made(ctx, f"{path}/{own}/{part}", None if size is None else replace(made, shape=size))
    else:
        note_made(ctx, None, None)


def _next_name(ctx: Context, base: str) -> str | None:
    """Return the default name of a layer of a class: that of the second one in a scope is "dense_1"."""
    counts = _counts(ctx)
    if not isinstance(counts, Ref):
        return None
    key = f"@{_graph(ctx)}:{base}"
    before = entry(ctx, key, counts) or Const(0)
    if not isinstance(before, Const) or not isinstance(before.value, int):
        return None
    ctx.set(counts, key, Const(before.value + 1))
    return f"{base}_{before.value}" if before.value else base
