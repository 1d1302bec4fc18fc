"""Saved models: what was traced before an object is saved is what can be called after it is loaded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    NONE,
    Const,
    Dict,
    Function,
    Library,
    Method,
    Partial,
    Ref,
    Tensor,
    Value,
    as_str,
    items_of,
)
from shapecheck.models.lang import Context, attribute, base, behaviour
from shapecheck.models.lang.settings import SETTINGS, file_key, setting
from shapecheck.models.tf_data.sources import from_spec
from shapecheck.models.training.traced_functions import check_dtype
from shapecheck.shapes.facts import FALSE as NEVER
from shapecheck.shapes.shape import differ
from shapecheck.shapes.text import show

LOADED = "tf.saved_model.Loaded"
SIGNATURE = "tf.saved_model.signature"
RESTORED = "tf.saved_model.restored"
DEFAULT = "serving_default"
base(LOADED, "object")
MODULE = "tf.Module"


@behaviour(MODULE)
def module(ctx: Context, name: Value = NONE) -> Value:
    """Return an object to which a program gives attributes."""
    return ctx.new(MODULE)


# Saving --------------------------------------------------------------------------------------------------------------


@behaviour("tf.saved_model.save")
def save(ctx: Context, obj: Value, export_dir: Value, signatures: Value = NONE, options: Value = NONE) -> Value:
    told = ctx.freeze(signatures)
    functions = [value for _, value in told.items] if isinstance(told, Dict) else [told]
    for function in functions:
        if _is_unspecified(ctx, function):
            said = "a signature needs a tf.function with an input signature, or a concrete function"
            ctx.require(ClashKind.SIGNATURE, NEVER, said, function)
    if isinstance(obj, Ref):
        _require_tracked(ctx, obj, functions)
    _remember(ctx, export_dir, obj, told)
    return NONE


def _require_tracked(ctx: Context, obj: Ref, functions: Sequence[Value]) -> None:
    """State that an object holds the variables that its exported functions read."""
    for function in (*ctx.traced_functions(obj), *functions):
        entries = _entries(ctx, function)
        variable = None if not entries else ctx.untracked(obj, function, [spec for _, spec in entries])
        if variable is not None:
            code = function.function if isinstance(function, Method) else function
            name = code.name if isinstance(code, Function) else "a function"
            said = f"{name} reads a variable that no attribute of the object holds, and that is not saved"
            if isinstance(variable, Ref):
                kind = variable.cls.rpartition(".")[2]
                said = f"{name} uses a {kind} that no attribute of the object holds, and that is not saved"
            ctx.require(ClashKind.UNTRACKED, NEVER, said, variable)
            return


@behaviour("keras.Model.export")
def export(ctx: Context, self: Value, filepath: Value, *args: Value, **options: Value) -> Value:
    _remember(ctx, filepath, self, NONE)
    return NONE


def _is_unspecified(ctx: Context, function: Value) -> bool:
    """Return whether a function is one whose arguments a saved model cannot know."""
    code = function.function if isinstance(function, Method) else function
    if not isinstance(code, Function):
        return False
    return not code.graph or all(_option(ctx, code, name) == NONE for name in ("input_signature", "concrete_signature"))


def _option(ctx: Context, code: Function, name: str) -> Value:
    return ctx.get(Ref(code.graph, "tf.function"), name) or NONE


def _remember(ctx: Context, path: Value, obj: Value, signatures: Value) -> None:
    """Keep what is saved under a path, until something else is saved there."""
    key = file_key("saved model", path)
    if key is not None:
        ctx.set(SETTINGS, key, ctx.new(LOADED, _object=obj, _signatures=signatures))


# Loading -------------------------------------------------------------------------------------------------------------


@behaviour("tf.saved_model.load")
def load(ctx: Context, export_dir: Value, tags: Value = NONE, options: Value = NONE) -> Value:
    """Return what this program has saved there."""
    key = file_key("saved model", export_dir)
    found = None if key is None else setting(ctx, key)
    return found if isinstance(found, Ref) and found.cls == LOADED else ctx.lost("a saved model")


@behaviour(f"{LOADED}.__getattr__")
def member(ctx: Context, self: Value, name: Value) -> Value:
    """Return a function of the object that was saved."""
    obj = ctx.get(self, "_object")
    if name == Const("serve") and _inputs(ctx, obj):
        return Partial(Library(f"{LOADED}.serve"), (self,))
    known = None if not isinstance(obj, Ref) or obj.cls != "user" else ctx.get(obj, as_str(name) or "")
    if isinstance(known, Method) and known.function.graph:
        return Partial(Library(RESTORED), (known,))
    return ctx.lost("a part of a saved model")


@behaviour(f"{LOADED}.__call__")
def call(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    known = member(ctx, self, Const("__call__"))
    return ctx.call(known, args, keywords) if isinstance(known, Partial) else ctx.lost("call of a saved model")


@behaviour(RESTORED)
def restored(ctx: Context, function: Value, *args: Value, **keywords: Value) -> Value:
    """Return the result of a function that was saved: it has the graphs that were traced before, and no others."""
    code = function.function if isinstance(function, Method) else function
    traces = ctx.traces(function)
    if isinstance(code, Function) and _option(ctx, code, "input_signature") == NONE and traces:
        given = dict(zip(ctx.parameters(function) or (), args, strict=False)) | keywords
        reasons = [_difference(trace, given) for trace in traces]
        if all(reasons):
            ctx.require(ClashKind.SIGNATURE, NEVER, f"{reasons[0]}, and no other graph was saved", *args)
            return ctx.lost("a call that no graph takes")
    return ctx.call(function, args, keywords)


def _difference(trace: Mapping[str, Value], given: Mapping[str, Value]) -> str | None:
    """Return why a trace certainly does not take tensors; None if it may."""
    for name, before in trace.items():
        now = given.get(name)
        if not isinstance(before, Tensor) or not isinstance(now, Tensor):
            continue
        if differ(before.shape, now.shape):
            return f"{name} has shape {show(now.shape)}, the graph was traced for {show(before.shape)}"
        if before.dtype and now.dtype and before.dtype != now.dtype:
            return f"{name} is {now.dtype}, the graph was traced for {before.dtype}"
    return None


@behaviour(f"{LOADED}.serve")
def serve(ctx: Context, self: Value, *args: Value) -> Value:
    """Return the outputs of a Keras model that was exported, which takes its inputs alone."""
    declared = _inputs(ctx, ctx.get(self, "_object"))
    for wanted, now in zip(declared, args, strict=False):
        if isinstance(now, Tensor) and differ(wanted.shape, now.shape):
            said = f"the input has shape {show(now.shape)}, the model was exported for {show(wanted.shape)}"
            ctx.require(ClashKind.SIGNATURE, NEVER, said, now)
            return ctx.lost("a call of an exported model that fails")
    model = ctx.get(self, "_object")
    return ctx.call(model, args) if model is not None and len(declared) == 1 == len(args) else ctx.lost("outputs")


def _inputs(ctx: Context, model: Value | None) -> Sequence[Tensor]:
    """Return the inputs that a Keras model declares."""
    if not isinstance(model, Ref):
        return ()
    entry = ctx.get(model, "@inputs") or ctx.get(model, "@input")
    parts = items_of(entry) if entry is not None and not isinstance(entry, Tensor) else (entry,)
    return tuple(part for part in parts or () if isinstance(part, Tensor) and part.library == "keras")


# Signatures ----------------------------------------------------------------------------------------------------------


@attribute(f"{LOADED}.signatures")
def signatures(ctx: Context, self: Value) -> Value:
    told = ctx.get(self, "_signatures")
    if isinstance(told, (Function, Method)):
        told = Dict(((Const(DEFAULT), told),))
    if not isinstance(told, Dict) or told.rest is not None:
        return ctx.lost("the signatures of a saved model")
    return Dict(tuple((name, Partial(Library(SIGNATURE), (function,))) for name, function in told.items))


@behaviour(SIGNATURE)
def signature(ctx: Context, function: Value, *args: Value, **keywords: Value) -> Value:
    """Return the results by name. Arguments are tensors, given by the names of the specifications."""
    entries = _entries(ctx, function)
    if entries is None:
        return ctx.lost("the results of a signature")
    names = [name for name, _ in entries]
    strange = next((name for name in keywords if name not in names), None)
    given = dict(zip(names, args, strict=False)) | keywords if len(args) <= 1 else keywords
    absent = next((name for name in names if name not in given), None)
    if len(args) > 1:
        _refuse(ctx, "the arguments of a signature are given by their names", *args)
    elif strange is not None:
        _refuse(ctx, f"the signature takes {', '.join(names)} alone", function)
    elif absent is not None:
        _refuse(ctx, f"the signature takes {', '.join(names)}, and {absent} is not given", function)
    else:
        for name, spec in entries:
            value = given[name]
            if isinstance(value, Tensor) and isinstance(spec, Tensor):
                check_dtype(ctx, spec, value, name)
        results = ctx.freeze(ctx.call(function, [given[name] for name in names]))
        return results if isinstance(results, Dict) else Dict(((Const("output_0"), results),))
    return ctx.lost("the results of a signature that fails")


def _entries(ctx: Context, function: Value) -> list[tuple[str, Value]] | None:
    """Return the arguments of a signature with their specifications."""
    code = function.function if isinstance(function, Method) else function
    if not isinstance(code, Function) or not code.graph:
        return None
    specs = items_of(ctx.freeze(_option(ctx, code, "input_signature")))
    parameters = ctx.parameters(function)
    if specs is None or parameters is None:
        return None
    found = list(_named(ctx, specs, list(parameters)))
    return found if len(found) == len(specs) else None


def _named(ctx: Context, specs: Sequence[Value], parameters: Sequence[str]) -> Iterator[tuple[str, Value]]:
    for spec, parameter in zip(specs, parameters, strict=False):
        if isinstance(spec, Ref) and spec.cls == "tf.TensorSpec":
            told = ctx.get(spec, "name") or NONE
            name = parameter if told == NONE else as_str(told)
            if name is not None:
                yield name, from_spec(ctx, spec)


def _refuse(ctx: Context, said: str, *operands: Value) -> None:
    ctx.require(ClashKind.SIGNATURE, NEVER, said, *operands)
