"""Sessions: fed values must fit their placeholders, and everything computed from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    NONE,
    TRUE,
    Dict,
    HomogeneousSeq,
    Library,
    Partial,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    items_of,
    walk,
)
from shapecheck.models.lang import Context, attribute, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.tf1.graph import OPERATION, inputs_of, is_dynamic
from shapecheck.shapes.claims import FALSE, AllOf, Claim, Equal
from shapecheck.shapes.facts import Verdict
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size, is_lost

SESSION = "tf.Session"


# Feeding ------------------------------------------------------------------------------------------------------------


def fits(fed: Shape, declared: Shape) -> Claim:
    """Return the constraint for a value of one shape to be fed to a tensor of another: any size replaces None."""
    if declared.tail is not None:
        return AllOf(()) if fed.tail is not None or fed.min_rank >= declared.min_rank else FALSE
    if fed.tail is not None:
        return AllOf(()) if fed.min_rank <= declared.min_rank else FALSE
    if len(fed.head) != len(declared.head):
        return Equal(len(fed.head), len(declared.head))
    pairs = zip(fed.head, declared.head, strict=True)
    return AllOf(tuple(Equal(size, wanted) for size, wanted in pairs if size != wanted and not _may_be_open(wanted)))


def _may_be_open(size: Size) -> bool:
    """Return whether a declared size is None, or may be."""
    return is_dynamic(size) or is_lost(size)


def merged(fed: Shape, declared: Shape) -> Shape:
    """Return the size of a fed value that is known from both sides."""
    if declared.tail is not None or (fed.tail is None and len(fed.head) != len(declared.head)):
        return fed
    if fed.tail is not None:
        return declared
    pairs = zip(fed.head, declared.head, strict=True)
    return Shape(tuple(_better(size, wanted) for size, wanted in pairs))


def _better(size: Size, wanted: Size) -> Size:
    return wanted if isinstance(wanted, int) else size


def misfit(fed: Shape, declared: Shape) -> str:
    """Return a description of a value that does not fit: its whole shape where that is short."""
    said = f"the value fed has shape {fed}, the placeholder takes {declared}"
    if len(said) <= 80 or declared.rank is None:
        return said
    if fed.rank != declared.rank:
        least = "" if fed.is_ranked else "at least "
        return f"the value fed has rank {least}{fed.min_rank}, the placeholder takes rank {declared.rank}"
    pairs = enumerate(zip(fed.sizes, declared.sizes, strict=True))
    parts = [(axis, pair) for axis, pair in pairs if pair[0] != pair[1] and not is_dynamic(pair[1])]
    axis, (size, wanted) = min(parts, key=lambda part: not all(isinstance(size, int) for size in part[1]))
    return f"axis {axis} of the value fed has size {size}, the placeholder takes {wanted}"


def feed(ctx: Context, target: Tensor, value: Value) -> Tensor | None:
    """Return the target with the shape of its fed value; None if that does not fit."""
    fed = as_tensor(value, ctx)
    shape = fed.shape.map(ctx.resolve)
    if target.role in ("sparse", "ragged"):
        return target
    if not target.static:
        return replace(target, shape=shape, content=fed.content)
    # Constraints from other parts of the graph on a size declared as None hold only where those run.
    declared = target.shape.map(lambda size: size if is_dynamic(size) else ctx.resolve(size))
    claim = fits(shape, declared)
    if claim == AllOf(()):
        return fed_with(target, shape, fed)
    if ctx.require(ClashKind.FEED, claim, misfit(shape, declared), target, value) is Verdict.NEVER:
        return None
    return fed_with(target, shape, fed)


def fed_with(target: Tensor, shape: Shape, fed: Tensor) -> Tensor:
    known = merged(shape, target.shape)
    return replace(target, shape=known, content=fed.content, static=known == target.shape)


def feeds_of(ctx: Context, feed_dict: Value) -> dict[Value, Value] | None:
    """Return the fed value of each tensor; None if some of them do not fit."""
    found: dict[Value, Value] = {}
    failed = False
    for key, value in feed_dict.items if isinstance(feed_dict, Dict) else ():
        if isinstance(key, Tensor):
            fed = feed(ctx, key, value)
            failed = failed or fed is None
            if fed is not None and fed != key:
                found[key] = fed
    return None if failed else found


# Fetching -----------------------------------------------------------------------------------------------------------


def fetch(ctx: Context, fetches: Value, feed_dict: Value) -> Value:
    """Return the values of tensors, in the structure in which they were requested."""
    ctx.refuse_missing(*walk(fetches))
    roots = inputs_of(ctx, fetches)
    feeds = feeds_of(ctx, feed_dict)
    results = ctx.replay(roots, feeds) if feeds else roots
    return _structured(ctx, fetches, dict(zip(roots, results, strict=True)))


def _structured(ctx: Context, fetches: Value, results: Mapping[Value, Value]) -> Value:
    match fetches:
        case Tensor(role="sparse" | "ragged"):
            return ctx.lost("the parts of a tensor that is not dense")
        case Tensor():
            return _array(results.get(fetches, fetches))
        case Ref(cls=cls) if cls == OPERATION:
            return NONE
        case Seq(kind=kind, items=items):
            return Seq(kind, tuple(_structured(ctx, item, results) for item in items))
        case Dict(items=pairs, rest=None):
            return Dict(tuple((key, _structured(ctx, item, results)) for key, item in pairs))
        case HomogeneousSeq(kind=kind, element=element, length=length):
            return HomogeneousSeq(kind, _structured(ctx, element, results), length)
    return ctx.lost("what a session fetches")


def _array(result: Value) -> Value:
    if not isinstance(result, Tensor):
        return result
    return replace(result, library="np", role="tensor", step=0, output=0, static=True)


@behaviour("tf.Session.run")
def run(
    ctx: Context,
    self: Value,
    fetches: Value,
    feed_dict: Value = NONE,
    options: Value = NONE,
    run_metadata: Value = NONE,
) -> Value:
    fed = [key for key, _ in feed_dict.items] if isinstance(feed_dict, Dict) else []
    tensor = ctx.stranger(ctx.get(self, "of_graph"), [fetches, *fed])
    if tensor is not None:
        ctx.require(
            ClashKind.LEAKED_SYMBOLIC, FALSE, "the session runs one graph, and the tensor is of another graph", tensor
        )
        return ctx.lost("what a session of another graph gives")
    return fetch(ctx, fetches, feed_dict)


@behaviour("tf.Tensor.eval")
def evaluate(ctx: Context, self: Value, feed_dict: Value = NONE, session: Value = NONE) -> Value:
    return fetch(ctx, self, feed_dict)


@behaviour("tf.Operation.run")
def run_operation(ctx: Context, self: Value, feed_dict: Value = NONE, session: Value = NONE) -> Value:
    fetch(ctx, self, feed_dict)
    return NONE


@behaviour("tf.Session.make_callable")
def make_callable(ctx: Context, self: Value, fetches: Value, feed_list: Value = NONE, *args: Value) -> Value:
    return Partial(Library("tf.Session.run_callable"), (fetches, feed_list))


@behaviour("tf.Session.run_callable")
def run_callable(ctx: Context, fetches: Value, feed_list: Value, *args: Value) -> Value:
    keys = items_of(feed_list) or ()
    return fetch(ctx, fetches, Dict(tuple(zip(keys, args, strict=False))))


# Session objects ----------------------------------------------------------------------------------------------------


@behaviour(SESSION, "tf.InteractiveSession")
def session(ctx: Context, target: Value = NONE, graph: Value = NONE, config: Value = NONE) -> Value:
    """Return a session of a graph, which is the present one if none is given."""
    own = graph if graph != NONE else ctx.default_graph()
    return ctx.new(SESSION) if own is None else ctx.new(SESSION, of_graph=own)


@behaviour("tf.Graph")
def new_graph(ctx: Context) -> Value:
    return ctx.new("tf.Graph", is_own=TRUE)


@behaviour(
    "keras.backend.get_session",
    "tf.get_default_session",
    "tf.train.MonitoredSession",
    "tf.train.MonitoredTrainingSession",
    "tf.train.SessionManager.prepare_session",
    "tf.train.SingularMonitoredSession",
)
def session_of_library(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.new(SESSION)


@behaviour("tf.Session.__enter__", "tf.Session.as_default")
def enter(ctx: Context, self: Value) -> Value:
    return self


@behaviour("tf.Session.__exit__", "tf.Session.close", "tf.Session.reset")
def leave(ctx: Context, *args: Value) -> Value:
    return NONE


@behaviour("tf.Session.should_stop")
def should_stop(ctx: Context, self: Value) -> Value:
    return Scalar("bool")


@attribute("tf.Session.graph")
def graph(ctx: Context, self: Value) -> Value:
    return ctx.get(self, "of_graph") or ctx.new("tf.Graph")


@attribute("tf.Session.graph_def")
def graph_def(ctx: Context, self: Value) -> Value:
    return ctx.new("tf.GraphDef")
