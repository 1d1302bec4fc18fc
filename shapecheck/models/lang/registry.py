"""The registry of models, the decorators that fill it, and the look-up by canonical name."""

from __future__ import annotations

import inspect
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial, update_wrapper
from typing import Any, Literal, TypeAlias, TypeVar

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Const, Value
from shapecheck.models.lang import dtypes, layers, output_arrays, scopes, settings
from shapecheck.models.lang import names as _names
from shapecheck.models.lang.array_wrappers import wrapped
from shapecheck.models.lang.bind import Bound, bind, is_retold, respelled
from shapecheck.models.lang.context import Context, Target
from shapecheck.models.lang.evaluate import Recipe, run
from shapecheck.models.lang.loading import ATTRIBUTES as _ATTRIBUTES
from shapecheck.models.lang.loading import MODELS, bases_of, load, names, prepare, prepare_package
from shapecheck.models.lang.loading import operator as indexed_operator
from shapecheck.models.lang.packs import arrays
from shapecheck.models.lang.parameter_kinds import Dimensions, Parameter, Reading, parameters_of
from shapecheck.models.lang.surplus_operands import surplus
from shapecheck.shapes.claims import FALSE

Form = Literal["op", "layer", "call", "behaviour", "attribute"]
Function = TypeVar("Function", bound=Callable[..., Any])
Leaves: TypeAlias = Callable[[Context, str, Bound, Value], None]


@dataclass(frozen=True)
class Definition:
    """A model as its decorator recorded it."""

    names: tuple[str, ...]
    form: Form
    function: Callable[..., Any]
    operator: str = ""
    was: Mapping[str, str] = field(default_factory=dict)
    dtype: str = ""
    varargs: str = ""
    returns: Literal["", "tuple", "list", "number"] = ""
    oracle: str = ""
    scoped: Mapping[str, object] | None = None
    leaves: Leaves | None = None
    module: str = ""

    def __post_init__(self) -> None:
        dtypes.check(self.dtype)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return the parameters that the model declares; a behaviour reads its arguments itself."""
        if self.form in ("behaviour", "attribute"):
            return ()
        declared = parameters_of(inspect.unwrap(self.function))
        return tuple(parameter for parameter in declared if parameter.reading is not Reading.DIMENSIONS)

    @property
    def family(self) -> str:
        """Return the module that registers the model."""
        return (self.module or self.function.__module__).split(".models.")[-1]


@dataclass(frozen=True)
class Model:
    """A model under one of its names."""

    name: str
    definition: Definition

    def run(self, ctx: Context, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
        """Return the result of the call; constraints are stated to the context."""
        result = self._run(ctx, args, keywords)
        output_arrays.note(ctx, self.name, args)
        return result

    def _run(self, ctx: Context, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
        made = self.definition
        match made.form:
            case "behaviour" | "attribute":
                return call_behaviour(self, ctx, args, keywords)
            case "layer":
                return layers.construct(self.name, made.parameters, made.was, ctx, args, keywords)
            case "call":
                recipe = Recipe(self.name, made.function, made.parameters, made.dtype, made.returns)
                return layers.call(recipe, ctx, args, keywords)
        around = {} if made.scoped is None else scopes.arguments(ctx, Const(made.names[0]), made.scoped)
        around = {name: ctx.freeze(value) for name, value in around.items()}
        bound = bind(self.name, made.parameters, made.was, made.varargs, args, keywords, ctx.target, around)
        if bound is None and (said := surplus(self.name, args, keywords)) is not None:
            ctx.require(ClashKind.RANK, FALSE, said, *args)
        if bound is None or is_retold(bound):
            return ctx.lost(f"arguments of {self.name}")
        if self.name.startswith("keras.ops."):
            settings.complete(ctx, made.parameters, bound.given)
        result = run(Recipe(self.name, made.function, made.parameters, made.dtype, made.returns), bound, ctx)
        if made.leaves is not None:
            made.leaves(ctx, self.name, bound, result)
        return wrapped(ctx, self.name, args, result)


__all__ = [
    "Definition",
    "Model",
    "attribute",
    "base",
    "behaviour",
    "constant",
    "layer",
    "library_bases",
    "load",
    "lookup",
    "lookup_attribute",
    "lookup_method",
    "lookup_operator",
    "modelled_classes",
    "op",
    "same",
]

REGISTRY: dict[str, Model] = MODELS
ATTRIBUTES: dict[str, Model] = _ATTRIBUTES
OPERATORS: dict[tuple[str, str], Model] = {}
BASES: dict[str, tuple[str, ...]] = {}
ANY_CLASS = "any class"
"""The base of a class of a library whose objects may be of other classes, too."""


# Decorators --------------------------------------------------------------------------------------------------------


def op(
    *names: str,
    operator: str = "",
    was: Mapping[str, str] | None = None,
    dtype: str = "",
    varargs: str = "",
    returns: Literal["", "tuple", "list", "number"] = "",
    oracle: str = "",
    scoped: Mapping[str, object] | None = None,
    leaves: Leaves | None = None,
) -> Callable[[Function], Function]:
    """Register a signature model. Names may have alternatives in braces: "{np,tf}.exp".

    `operator` is a binary or unary operator with the same meaning (after a role, for arrays that have it); `was` maps
    other spellings of parameters to the model's; `dtype` is the result's ("" for the first tensor's, "promote", or
    "?" where it is not known; for several results, separated by commas); `varargs` names the parameter that collects
    all further positional arguments; `returns` makes the result a sequence even if it is one tensor, or a number of
    Python if it has no axes; `oracle` names the function to compare with, or "none: reason"; `scoped` are the
    defaults of a function that takes arguments from enclosing scopes; `leaves` is called with the call and its
    result, for the side effects of the call.
    """

    def register(function: Function) -> Function:
        for same, run_it in by_dimensions(expanded(names), function):
            said = (operator, was or {}, dtype, varargs, returns, oracle, scoped, leaves)
            _register(Definition(same, "op", run_it, *said))
        return function

    return register


def layer(
    *names: str, was: Mapping[str, str] | None = None, dtype: str = "", oracle: str = "", bases: Sequence[str] = ()
) -> Callable[[Function], Function]:
    """Register a layer class: the function takes the constructor's arguments and returns the answer for a call.

    Parameters annotated `Tensor` or `Tensors` are arguments of the call, all others of the constructor.
    """

    def register(function: Function) -> Function:
        for same, run_it in by_dimensions(expanded(names), function):
            calls = tuple(f"{name}.__call__" for name in same)
            _register(Definition(same, "layer", run_it, "", was or {}, dtype, oracle=oracle))
            _register(Definition(calls, "call", run_it, "", was or {}, dtype, oracle=oracle))
            for name in same:
                BASES[name] = tuple(bases) or ("keras.layers.Layer",)
        return function

    return register


def behaviour(*names: str, anew: bool = False) -> Callable[[Function], Function]:
    """Register a function of the context and abstract values, for what no signature can express.

    With `anew` it replaces the earlier models of the names, which it builds on.
    """

    def register(function: Function) -> Function:
        _register(Definition(expanded(names), "behaviour", function), anew)
        return function

    return register


def same(names: Iterable[str], of: str, to: str, module: str, **changes: Any) -> None:
    """Register the models of another library under names of `module`'s: `of` is what their names begin with there,
    `to` what they begin with here. Dtypes follow the rules that are known of the other library, with the promotions of
    this one. `changes` are fields of the definition that differ.
    """
    for name in names:
        found = lookup(of + name)
        if found is None:
            raise ValueError(f"{of}{name} has no model")
        said = dtypes.rule(of + name, Target()) or found.definition.dtype
        if "," in found.definition.dtype and "," not in said:  # there may be several results
            said = f"{said},{said}"
        _register(replace(found.definition, names=(to + name,), module=module, **{"dtype": said, **changes}))


def attribute(*names: str) -> Callable[[Function], Function]:
    """Register an attribute of a library object: a function of the context and the object."""

    def register(function: Function) -> Function:
        made = Definition(expanded(names), "attribute", function)
        for name in made.names:
            _enter(ATTRIBUTES, Model(name, made))
        return function

    return register


def base(cls: str, *parents: str) -> None:
    """Declare the classes that a library class inherits from."""
    BASES[cls] = parents


def expanded(names: Sequence[str]) -> tuple[str, ...]:
    """Return names with alternatives in braces written out; "{np,tf}.{sin,cos}" is four names."""
    return tuple(dict.fromkeys(name for given in names for name in _alternatives(given)))


def _alternatives(name: str) -> Iterator[str]:
    parts = [part.split("}") for part in name.split("{")]
    choices = [[parts[0][0]], *([option + rest for option in inner.split(",")] for inner, rest in parts[1:])]
    return map("".join, itertools.product(*choices))


def by_dimensions(
    names: Sequence[str], function: Callable[..., Any]
) -> Iterator[tuple[tuple[str, ...], Callable[..., Any]]]:
    """Return the names of a model, each with its function, separately for each value of `Dimensions`."""
    wanted = next((name for name, hint in function.__annotations__.items() if hint in ("Dimensions", Dimensions)), None)
    if wanted is None:
        yield tuple(names), function
        return
    for count, same in itertools.groupby(sorted(names, key=dimensions), dimensions):
        yield tuple(same), update_wrapper(partial(function, **{wanted: count}), function)


def dimensions(name: str) -> int:
    """Return the 2 of "tf.nn.conv2d" or "keras.layers.MaxPooling2D"."""
    found = re.search(r"(\d)[dD]", name)
    if found is None:
        raise ValueError(f"{name} does not tell a number of dimensions")
    return int(found[1])


def _register(made: Definition, anew: bool = False) -> None:
    for name in made.names:
        model = Model(name, made)
        _enter(REGISTRY, model, anew)
        for sign in made.operator.split():
            OPERATORS.setdefault((name.split(".", 1)[0], sign), model)


def _enter(registry: dict[str, Model], model: Model, anew: bool = False) -> None:
    """Enter a model; a second model for one name is an error, since it would silently replace the first."""
    before = registry.get(model.name)
    if before is not None and not anew and not _is_same(before, model):
        raise ValueError(f"{model.name} has two models, in {before.definition.family} and in {model.definition.family}")
    registry[model.name] = model


def _is_same(before: Model, model: Model) -> bool:
    """Return whether a module is imported again after its first import failed."""
    functions = before.definition.function, model.definition.function
    first, second = ((each.__module__, getattr(each, "__qualname__", "")) for each in functions)
    return first == second and functions[0] is not functions[1] and before.definition.names == model.definition.names


# Look-up -----------------------------------------------------------------------------------------------------------


def constant(name: str) -> Value | None:
    """Return the value of a library constant such as np.pi."""
    return _names.constant_of(name)


def lookup(name: str) -> Model | None:
    """Return the model of a function, or of a class (its constructor)."""
    prepare(name)
    return REGISTRY.get(name)


@cache
def lookup_method(cls: str, name: str) -> Model | None:
    """Return the model of a method, inherited ones included."""
    return next((found for each in lineage(cls) if (found := lookup(f"{each}.{name}"))), None)


@cache
def lookup_attribute(cls: str, name: str) -> Model | None:
    """Return the model of an attribute, inherited ones included."""
    paths = (f"{each}.{name}" for each in lineage(cls))
    return next((found for path in paths if (found := _attribute(path))), None)


def _attribute(path: str) -> Model | None:
    prepare(path)
    return ATTRIBUTES.get(path)


def lookup_operator(library: str, operator: str, role: str = "") -> Model | None:
    """Return the model of an operator between tensors of a library, or of tensors with a role there."""
    if role and (own := _operator(library, role + operator)):
        return own
    otherwise = arrays(library).otherwise
    return _operator(library, operator) or (_operator(otherwise, operator) if otherwise else None)


def _operator(library: str, sign: str) -> Model | None:
    name = indexed_operator(library, sign)
    if name is not None:
        return lookup(name)
    prepare_package(library)
    return OPERATORS.get((library, sign))


def library_bases(cls: str) -> tuple[str, ...]:
    """Return the classes that a library class inherits from."""
    prepare_package(cls)
    return bases_of(cls) or BASES.get(cls) or _names.declared_bases(cls)


@cache
def modelled_classes() -> frozenset[str]:
    """Return the library classes that have modelled methods or attributes."""
    owners = {name.rpartition(".")[0] for name in names()}
    return frozenset(owner for owner in owners if owner.rpartition(".")[2][:1].isupper() or owner == "np.ndarray")


@cache
def lineage(cls: str) -> tuple[str, ...]:
    """Return a class and the classes it inherits from."""
    return (cls, *(each for parent in library_bases(cls) for each in lineage(parent)))


# Behaviours --------------------------------------------------------------------------------------------------------


@cache
def _parameters(function: Callable[..., Any]) -> tuple[inspect.Parameter, ...]:
    """Return the parameters of a behaviour, without the context."""
    return tuple(inspect.signature(function).parameters.values())[1:]


def call_behaviour(model: Model, ctx: Context, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """Call a behaviour with the arguments by its own parameter names; surplus arguments are ignored."""
    parameters = _parameters(model.definition.function)
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    named = {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    kinds = {p.kind for p in parameters}
    accepted = dict(respelled(model.name, keywords))
    if inspect.Parameter.VAR_KEYWORD not in kinds:
        accepted = {name: value for name, value in accepted.items() if name in named}
    if inspect.Parameter.VAR_POSITIONAL not in kinds:
        args = args[: len(positional)]
    is_missing = any(p.default is p.empty and p.name not in accepted for p in positional[len(args) :])
    if is_missing or accepted.keys() & named & {p.name for p in positional[: len(args)]}:
        return ctx.lost(f"arguments of {model.name}")
    value: Value = model.definition.function(ctx, *args, **accepted)
    return value
