"""Evaluation of a model for a call: the arguments are read, all cases of unknown arguments tried, and constraints
stated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.traversal import map_children
from shapecheck.domain.values import NONE, Dict, Seq, Value, items_of
from shapecheck.models.lang import array_wrappers, output_arrays, ragged_lists, refused_lists, refused_values
from shapecheck.models.lang.answer import Result, asked, work_out
from shapecheck.models.lang.apply import IN_GRAPHS, Application
from shapecheck.models.lang.apply import Bound as Binding
from shapecheck.models.lang.arguments import Split, dtype_name, is_array_dtype, operand, read
from shapecheck.models.lang.axis_checks import no_axis
from shapecheck.models.lang.bind import Bound
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.dtypes import as_made, by_rule, depends_on_values, promotion, rule
from shapecheck.models.lang.np_matrix import is_matrix, of_matrices
from shapecheck.models.lang.packs import arrays, made_by
from shapecheck.models.lang.parameter_kinds import Blind, Parameter, Reading, Sizes, Tensor, Tensors, fresh_lost
from shapecheck.models.lang.refused_dtypes import refused, two_dtypes
from shapecheck.models.lang.scalar_checks import no_integer, no_number
from shapecheck.shapes import dtype as dtypes
from shapecheck.shapes.facts import FALSE, Verdict
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape, join
from shapecheck.shapes.size import Expr, Kind, Size

CASE_LIMIT = 16
ABOUT_DTYPES = (ClashKind.DTYPES_MIXED, ClashKind.FLOATS_TRUNCATED)
TAKES_NONE = ("keras.ops.convert_to_numpy", "tf.nn.batch_norm_with_global_normalization")
MAX_AXES = 64  # for a NumPy array
OF_NUMBERS = array_wrappers.UFUNCS | {
    f"np.{name}"
    for name in "all any argmax argmin average cumprod cumsum max mean median min prod ptp std sum var".split()
}
"""Functions of NumPy that make an array of numbers of a list."""
WITH_NUMBERS = ("np.", "tf.", "torch.", "jax.numpy.")  # functions that take shapes which hold numbers, and no sequences
PACKING = ("tf.", "keras.ops.", "keras.activations.")  # functions that make a tensor of a list
APART = ("sparse", "ragged", "object")  # roles of what is not stacked
Case = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Recipe:
    """The parts that the evaluation of a model needs."""

    name: str
    function: Any
    parameters: tuple[Parameter, ...]
    dtype: str = ""
    returns: Literal["", "tuple", "list", "number"] = ""
    content: Any = None


def run(recipe: Recipe, bound: Bound, ctx: Context) -> Value:
    """Return the value of the call."""
    refused = _refused(recipe, bound, ctx)
    if refused is not None:
        return refused
    out = output_arrays.target(recipe.name, bound)
    if isinstance(out, values.Tensor):
        ctx.overwrite(out)
    try:
        cases = list(cases_of(recipe.parameters, bound.given, ctx, recipe.name))
        worked = [output_arrays.over(_chosen(recipe, case, bound, ctx), out, recipe.name) for case in cases]
    except Blind as why:
        return unknown(recipe, bound, ctx, str(why))
    if len(worked) > 1:
        pairs = zip(cases, worked, strict=True)
        results = [finished(recipe, case, part, bound, ctx) for case, part in pairs if not is_impossible(part, ctx)]
        if results:
            require_dtypes(recipe.name, cases, ctx)
            return joined(results, ctx)
    if state(worked[0], operands_of(cases[0]), ctx):
        require_dtypes(recipe.name, cases, ctx)
        if not any(kind in ABOUT_DTYPES for kind, _ in worked[0].notices):
            notice_mixed(recipe.name, operands_of(cases[0]), ctx)
    return finished(recipe, cases[0], worked[0], bound, ctx)


def _refused(recipe: Recipe, bound: Bound, ctx: Context) -> Value | None:
    """Return what remains of a call with an argument of the wrong type, or None."""
    if not all(_is_convertible(recipe, parameter, bound, ctx) for parameter in recipe.parameters):
        return ctx.lost("an argument that cannot be converted")
    unfit = refused_values.refused(recipe.name, {**bound.others, **bound.given}, ctx)
    if unfit is not None:
        said, value = unfit
        ctx.require(ClashKind.RANK if isinstance(value, values.Tensor) else ClashKind.DTYPE, FALSE, said, value)
        return ctx.lost("a call with an option that it does not take")
    asked = _asked(bound)
    if isinstance(asked, values.Tensor) and asked.shape.head and recipe.name.startswith("np."):
        ctx.require(ClashKind.RANK, FALSE, f"an array of shape {asked.shape} is given for the dtype", asked)
        return ctx.lost("a call without a dtype")
    named = bound.others.get("name")
    is_graph = ctx.is_in_graph or ctx.target.classic_variables  # otherwise, nobody looks at the name
    if is_graph and isinstance(named, values.Tensor) and recipe.name.startswith("tf."):
        said = "one operand too many is given: it is taken as the name of the operation"
        ctx.require(ClashKind.RANK, FALSE, said, named)
        return ctx.lost("a call with too many operands")
    if output_arrays.is_list(recipe.name, bound):
        ctx.require(ClashKind.RANK, FALSE, "out is a list, but it must be an array")
        return ctx.lost("what is written to a list")
    return None


def _is_unranked(value: Value) -> bool:
    """Return whether a value may be an array of another kind, with named axes."""
    return isinstance(value, values.Tensor) and value.shape.rank is None


def _is_convertible(recipe: Recipe, parameter: Parameter, bound: Bound, ctx: Context) -> bool:
    given = bound.given.get(parameter.name)
    if given is None:
        return True
    said = no_axis(recipe.name, parameter, given, may_be_named=any(map(_is_unranked, bound.given.values())))
    if said is not None:
        ctx.require(ClashKind.AXIS_RANGE, FALSE, said, given)
        return False
    said = no_number(recipe.name, parameter, given)
    if said is not None:
        ctx.require(ClashKind.RANK, FALSE, said, given)
        return False
    said = no_integer(recipe.name, parameter, given, ctx.target)
    if said is not None:
        ctx.require(ClashKind.NOT_INTEGER, FALSE, said, given)
        return False
    if _is_missing(recipe.name, parameter, given):
        ctx.require(ClashKind.NOTHING, FALSE, f"{parameter.name} is None, where a tensor is needed")
        return False
    if parameter.reading is Reading.TENSOR and recipe.name.startswith(PACKING):
        return _packs(parameter.name, bound, ctx)
    if parameter.reading is Reading.TENSOR and recipe.name in OF_NUMBERS:
        return _makes_array(parameter.name, given, ctx)
    if parameter.reading is Reading.TENSORS:
        return all(takes_list(recipe.name, parameter.name, part, ctx) for part in items_of(given) or ())
    if parameter.reading is Reading.TENSOR and not _may_be_other_arrays(parameter.name, bound):
        return is_one(recipe.name, parameter.name, given, ctx)
    if parameter.reading is Reading.SHAPE and recipe.name.startswith(WITH_NUMBERS):
        return _is_shape(recipe.name, parameter.name, bound, ctx)
    return True


def _may_be_other_arrays(name: str, bound: Bound) -> bool:
    """Return whether the other operands are arrays of which so little is known that they may be those of NumPy."""
    others = [each for key, each in bound.given.items() if key != name and isinstance(each, values.Tensor)]
    return bool(others) and all(each.shape == UNRANKED for each in others)


def is_one(function: str, name: str, given: Value, ctx: Context) -> bool:
    """Return whether a value can be given for an operand: some libraries do not stack sequences of arrays."""
    if not takes_list(function, name, given, ctx):
        return False
    kind = made_by(function) if isinstance(given, Seq) else None
    if not isinstance(given, Seq) or kind is None or not arrays(kind).strict:
        return True
    parts = [item for item in given.items if isinstance(item, values.Tensor) and item.library == kind]
    if not parts or not function.rpartition(".")[2].isidentifier():
        return True
    said = f"{name} is a {given.kind} of {len(given.items)} values, not one tensor"
    ctx.require(ClashKind.RANK, FALSE, said, *parts)
    return False


def takes_list(function: str, name: str, given: Value, ctx: Context) -> bool:
    """Return whether a value that may be a list can be given for an operand."""
    said = refused_lists.refused(function, name, given)
    if said is not None:
        ctx.require(ClashKind.RANK, FALSE, said, given)
    return said is None


def _is_missing(function: str, parameter: Parameter, given: Value) -> bool:
    """Return whether None is given for an operand, such as the result of a function that returns nothing."""
    if parameter.optional or not parameter.required or parameter.reading is not Reading.TENSOR or given != NONE:
        return False
    is_tensors = function.startswith(("tf.", "keras.ops.")) and function not in TAKES_NONE
    return is_tensors and type(given) is values.Const  # what an operation leaves out has a rule of its own


def _is_shape(function: str, name: str, bound: Bound, ctx: Context) -> bool:
    """Return whether a sequence or an array given for a shape can be one: it has a number for each axis, of which NumPy
    allows 64."""
    value = bound.given.get(name)
    is_numpy = function.startswith("np.")
    for entry in map(ctx.freeze, items_of(value) or () if value is not None else ()):
        said = no_entry(entry, ("np", "tf") if function.startswith("tf.") else ("np",) if is_numpy else ())
        if said:
            ctx.require(ClashKind.RANK, FALSE, f"{name} holds {said}, where a number belongs", entry)
            return False
    if not is_numpy or not isinstance(value, values.Tensor) or not value.shape.is_ranked or not value.shape.rank:
        return True
    length = value.shape.head[0]
    if value.shape.rank == 1 and not (isinstance(length, int) and length > MAX_AXES):
        return True
    ctx.require(ClashKind.RANK, FALSE, f"{name} is an array of shape {value.shape}, which cannot be a shape", value)
    return False


def no_entry(entry: Value, kinds: Sequence[str]) -> str:
    """Return what an entry of a shape is instead of a number, if it is a sequence or an array of one of some kinds."""
    if isinstance(entry, Seq):
        return f"a sequence of {len(entry.items)} values"
    if isinstance(entry, values.Tensor) and entry.library in kinds and entry.shape.min_rank:
        return f"an array of rank {entry.shape.min_rank}"
    return ""


def _makes_array(name: str, given: Value, ctx: Context) -> bool:
    """Return whether NumPy can make an array of a list: its items must have one shape."""
    needs = ragged_lists.refused(Tensor(name, given=given), ctx.target)
    for need in needs:
        ctx.require(need.kind, need.claim, need.message, given)
    return not needs


def _packs(name: str, bound: Bound, ctx: Context) -> bool:
    """Return whether a sequence given for a tensor can be converted: its items are stacked, which takes one shape."""
    value = bound.given.get(name)
    items = value.items if isinstance(value, Seq) and value.kind in ("list", "tuple") else ()
    shapes = [item.shape for item in items if isinstance(item, values.Tensor) and item.shape.is_ranked]
    if len(shapes) < len(items) or any(isinstance(item, values.Tensor) and item.role in APART for item in items):
        return True
    if len({shape.rank for shape in shapes}) > 1:
        kind = ClashKind.RANK
    elif any(
        len({size for size in sizes if isinstance(size, int)}) > 1
        for sizes in zip(*(each.sizes for each in shapes), strict=True)
    ):
        kind = ClashKind.AXIS
    else:
        return True
    said = f"{name} has items of shapes {' and '.join(dict.fromkeys(map(str, shapes)))}, which make no tensor"
    ctx.require(kind, FALSE, said, *items)
    return False


# Cases -------------------------------------------------------------------------------------------------------------


def cases_of(
    parameters: Sequence[Parameter], given: Mapping[str, Value], ctx: Context, function: str = ""
) -> Iterator[Case]:
    """Return the arguments in the form that the model declares, one mapping for each case of what is not known."""
    todo: list[tuple[Case, Mapping[str, Value]]] = [({}, given)]
    while todo:
        case, rest = todo.pop()
        advanced = _advance(parameters, case, rest, ctx, function)
        if advanced is None:
            yield case
        elif len(todo) + len(advanced) > CASE_LIMIT:
            raise Blind("too many cases")
        else:
            todo += reversed(advanced)


def _advance(
    parameters: Sequence[Parameter], case: Case, given: Mapping[str, Value], ctx: Context, function: str
) -> list[tuple[Case, Mapping[str, Value]]] | None:
    """Read parameters until one splits; None if all are read."""
    for order, parameter in enumerate(parameters):
        if parameter.name in case:
            continue
        if parameter.name not in given:
            case[parameter.name] = _default(parameter, ctx)
            continue
        value = given[parameter.name]
        if isinstance(value, values.Choice):
            return [(dict(case), {**given, parameter.name: option}) for _, option in value.options]
        try:
            case[parameter.name] = read(parameter, value, ctx, order * 100, function)
        except Split as split:
            return [(case | {parameter.name: option}, given) for option in split.options]
        except Blind:
            return [(case | {parameter.name: axis}, given) for axis in _any_axis(parameter, case)]
    return None


def _default(parameter: Parameter, ctx: Context) -> Any:
    if parameter.reading is Reading.TARGET:
        return ctx.target
    if parameter.reading is Reading.SIZES and isinstance(parameter.default, int):
        return Sizes((parameter.default,), fresh_lost(ctx), is_single=True)
    return parameter.default


def _any_axis(parameter: Parameter, case: Case) -> list[int]:
    """Return all values of an unknown axis; a new axis may also come last."""
    ranks = [operand.rank for operand in operands_of(case)]
    rank = max((rank for rank in ranks if rank is not None), default=0)
    if parameter.reading is Reading.AXIS and None not in ranks and 0 < rank <= 5:
        return list(range(rank + 1))
    raise Blind(parameter.name)


# One case ----------------------------------------------------------------------------------------------------------


def one_case(recipe: Recipe, case: Case, ctx: Context) -> Result:
    """Return the answer of the model for one case."""
    answer = asked(recipe.function, case)
    names: dict[str, Binding] = {name: value for name, value in case.items() if isinstance(value, (int, Expr, Shape))}
    if ctx.target.tensorflow == 1 and recipe.name.startswith(("tf.", "keras.")):
        names[IN_GRAPHS] = 1
    return work_out(answer, operands_of(case), Application(names, fresh_lost(ctx)))


def _chosen(recipe: Recipe, case: Case, bound: Bound, ctx: Context) -> Result:
    return output_arrays.chosen(one_case(recipe, case, ctx), recipe.name, bound, operands_of(case))


def operands_of(case: Mapping[str, Any]) -> list[Tensor]:
    """Return the operands in order."""
    found: list[Tensor] = []
    for value in case.values():
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, Tensors):
            found += value.items
    return found


def is_impossible(result: Result, ctx: Context) -> bool:
    return any(ctx.known(need.claim) is Verdict.NEVER for need in result.needs)


def state(result: Result, operands: Sequence[Tensor], ctx: Context) -> bool:
    """State the constraints, up to the first that cannot hold; return whether there is none."""
    said = tuple(operand.value for operand in operands)
    for need in result.needs:
        if ctx.require(need.kind, need.claim, shortened(need.message), *said) is Verdict.NEVER:
            return False
    for kind, message in result.notices:
        ctx.notice(kind, message, *said)
    return True


def shortened(message: str, limit: int = 100) -> str:
    return message if len(message) <= limit else message[: limit - 1] + "…"


def require_dtypes(function: str, cases: Sequence[Case], ctx: Context) -> None:
    """State that an operand has a dtype that the function takes, if it certainly has another one in all cases.

    The tables are those of the present versions; before TensorFlow 1.0, some arguments came in another order.
    """
    if ctx.target.before_1_0:
        return
    found = [refused(function, operands_of(case)) for case in cases]
    if found and found[0] is not None and None not in found:
        said, operand = found[0]
        if ctx.has_certain_dtype(operand.given):
            ctx.require(ClashKind.DTYPE, FALSE, said, operand.value)


def notice_mixed(function: str, operands: Sequence[Tensor], ctx: Context) -> None:
    """Notice tensors of two dtypes where the function takes only one."""
    found = None if ctx.target.numpy_behavior else two_dtypes(function, operands)
    if found is not None:
        said, x, y = found
        ctx.notice(ClashKind.DTYPES_MIXED, said, x.value, y.value)


# Results -----------------------------------------------------------------------------------------------------------


def finished(recipe: Recipe, case: Case, worked: Result, bound: Bound, ctx: Context) -> Value:
    """Return the value of a case: tensors with dtype, library and content."""
    operands = operands_of(case)
    outputs = _outputs(recipe, operands, worked, bound, ctx)
    if any(is_matrix(operand.value) for operand in operands):
        family = recipe.function.__module__
        outputs = [of_matrices(output, recipe.name, family, ctx) for output in outputs]
    if recipe.returns == "number":
        return _number(outputs[0], bound)
    if recipe.returns and not (len(outputs) == 1 and isinstance(outputs[0], values.HomogeneousSeq)):
        return Seq(recipe.returns, tuple(outputs))
    return outputs[0] if len(outputs) == 1 else Seq("tuple", tuple(outputs))


def _number(made: Value, bound: Bound) -> Value:
    """Return a single element as a number of Python, unless its size or its type is asked for."""
    if not isinstance(made, values.Tensor) or made.shape != SCALAR or {"size", "dtype"} & {*bound.given, *bound.others}:
        return made
    return values.Scalar("int" if made.dtype == "int64" else "float")


def _outputs(recipe: Recipe, operands: Sequence[Tensor], worked: Result, bound: Bound, ctx: Context) -> Sequence[Value]:
    """The values that a model gave, and tensors for its shapes."""
    said = worked.dtype if isinstance(worked.dtype, tuple) else (worked.dtype,) * len(worked.outputs)
    shapes = [bound.given.get(p.name) for p in recipe.parameters if p.reading in (Reading.SHAPE, Reading.SIZE)]
    static = not any(map(is_run_time, shapes))
    is_array = is_array_dtype(_asked(bound))
    outputs: list[Value] = []
    for at, output in enumerate(worked.outputs):
        if not isinstance(output, Shape):
            outputs.append(of_kind(output, recipe.name, ctx))
            continue
        dtype = as_made(recipe.name, said[at], ctx.target) or result_dtype(recipe, operands, bound, ctx, at)
        content = worked.content if at == 0 else None
        made = tensor(UNRANKED if is_array else output, dtype, recipe, operands, content, ctx, static)
        outputs.append(replace(made, nature=worked.nature))
    return outputs


def tensor(
    shape: Shape,
    dtype: str | None,
    recipe: Recipe,
    operands: Sequence[Tensor],
    content: Value | None,
    ctx: Context,
    static: bool = True,
) -> values.Tensor:
    shape = shape.map(lambda size: size if isinstance(size, int) else ctx.resolve(size))
    sources = [operand.value for operand in operands if isinstance(operand.value, values.Tensor)]
    static = static and all(source.static for source in sources)
    role = "run-time" if content is not None and any(map(is_run_time, sources)) else "tensor"
    library = library_of(recipe.name, sources)
    if shape == SCALAR and library == "np" and dtype in OF_ELEMENTS and any(each.dtype in OBJECTS for each in sources):
        shape, dtype = UNRANKED, None
    if shape == UNRANKED and _may_be_table(recipe, operands):
        role = "object"
    return values.Tensor(shape, dtype, library, content=content, role=role, static=static)


OBJECTS = ("object", "string")
"""The dtypes of arrays whose elements may be anything."""
OF_ELEMENTS = (None, "float64", *OBJECTS)
"""The dtypes of results that are computed from elements, which may be arrays themselves if they are objects."""


def _may_be_table(recipe: Recipe, operands: Sequence[Tensor]) -> bool:
    """Return whether the result may be a table, as that of an operation on each element of a table is."""
    is_elementwise = recipe.function.__module__.rpartition(".")[2] in ("unary", "binary")
    return is_elementwise and recipe.name.startswith("np.") and any(operand.is_object for operand in operands)


def of_kind(value: Value, name: str, ctx: Context) -> Value:
    """Return what a model has made, as arrays of the kind of the library if that kind has rules of its own."""
    kind = made_by(name)
    if kind is None or promotion(kind) is None:
        return value
    if isinstance(value, values.Tensor):
        return replace(value, library=kind, dtype=as_made(name, value.dtype, ctx.target))
    return map_children(value, lambda part: of_kind(part, name, ctx))


def is_run_time(value: Value | None) -> bool:
    """Return whether a value contains numbers that the library only knows at run time."""
    inner = () if value is None else values.walk(value)
    return any(isinstance(part, values.Tensor) and part.role == "run-time" for part in inner)


PREPARING = "keras.utils."  # preprocessing code is written with NumPy


def library_of(name: str, sources: Sequence[values.Tensor]) -> str:
    """Return the kind of arrays that is the result."""
    if name.startswith(PREPARING) and all(source.library == "np" for source in sources):
        return "np"
    made = made_by(name)
    if made is not None and made not in ("tf", "keras"):
        return made
    return "keras" if any(source.library == "keras" for source in sources) else "tf"


_ABOUT_MEMORY = frozenset(
    "casting copy device generator inplace kind layout like memory_format name non_blocking order out pin_memory "
    "requires_grad subok where".split()
)
_USUALLY_ON = ("promote_integers",)
_ASKED = ("dtype", "out_type", "output_type", "output")


def result_dtype(recipe: Recipe, operands: Sequence[Tensor], bound: Bound, ctx: Context, output: int = 0) -> str | None:
    """Return a result's dtype: as asked for, as the library is known to make it, or as declared."""
    return as_made(recipe.name, _result_dtype(recipe, operands, bound, ctx, output), ctx.target)


def _result_dtype(recipe: Recipe, operands: Sequence[Tensor], bound: Bound, ctx: Context, output: int) -> str | None:
    asked = _asked_of_places(bound) if output else NONE
    asked = _asked(bound) if asked == NONE else asked
    if asked != NONE:
        name = dtype_name(asked)
        if name == "float" and made_by(recipe.name) == "np":  # a text that TensorFlow reads otherwise
            return "float64"
        return name and (dtypes.canonical(name) or name)
    if recipe.dtype != "bool" and ctx.target.numpy == 1 and depends_on_values(recipe.name, operands):
        return None
    if (made_by(recipe.name) or "tf") not in ("tf", "keras") and _has_unknown_option(recipe, bound):
        return None
    said = rule(recipe.name, ctx.target) or recipe.dtype
    found = by_rule(said, recipe.name, operands, output)
    is_tensor = recipe.name.startswith(("tf.", "keras."))
    return None if is_tensor and found == "object" else found  # of elements that are not known


def _has_unknown_option(recipe: Recipe, bound: Bound) -> bool:
    """Return whether an option is given that the model does not name and that may affect the dtype."""
    own = promotion(made_by(recipe.name) or "tf")
    harmless = _ABOUT_MEMORY if own is None else _ABOUT_MEMORY | own.SETTINGS
    others = ((name, value) for name, value in bound.others.items() if name not in harmless)
    return any(value not in (NONE, values.TRUE if name in _USUALLY_ON else values.FALSE) for name, value in others)


def _asked(bound: Bound) -> Value:
    """Return the dtype that a call asks for."""
    return bound.given.get("dtype") or next((bound.others[name] for name in _ASKED if name in bound.others), NONE)


_PLACES = ("out_idx", "index_type", "index_dtype", "output_idx_type", "output_dtype")


def _asked_of_places(bound: Bound) -> Value:
    """Return the dtype that a call asks for where indices are returned beside the elements."""
    return next((bound.others[name] for name in _PLACES if name in bound.others), NONE)


def unknown(recipe: Recipe, bound: Bound, ctx: Context, why: str) -> Value:
    """Return the result of a call that cannot be followed."""
    if recipe.returns in ("tuple", "list") or "," in recipe.dtype:  # there may be several results
        return ctx.lost(f"{recipe.name}: {why}")
    sources = [value for value in bound.given.values() if isinstance(value, values.Tensor)]
    if any(map(is_matrix, sources)):
        return ctx.lost("what is made of a matrix")
    out = output_arrays.target(recipe.name, bound)
    if isinstance(out, values.Tensor):
        return values.Tensor(out.shape, out.dtype, library_of(recipe.name, sources))
    operands = _operands_given(recipe, bound, ctx)
    dtype = result_dtype(recipe, operands, bound, ctx)
    role = "object" if any(operand.is_object for operand in operands) else "tensor"
    static = all(source.static for source in sources)
    return values.Tensor(UNRANKED, dtype, library_of(recipe.name, sources), role=role, static=static)


def _operands_given(recipe: Recipe, bound: Bound, ctx: Context) -> list[Tensor]:
    """Return the operands, as far as there is one for each parameter."""
    given = [(p, bound.given[p.name]) for p in recipe.parameters if bound.given.get(p.name, NONE) != NONE]
    if any(parameter.reading is Reading.TENSORS for parameter, _ in given):
        return []
    return [operand(value, p.name, ctx, 0, recipe.name) for p, value in given if p.reading is Reading.TENSOR]


def joined(results: Sequence[Value], ctx: Context, *, is_open: bool = False) -> Value:
    """Return what all results have in common; with `is_open`, only the execution of a graph tells sizes that differ."""
    first = results[0]
    for other in results[1:]:
        if other == first:
            continue
        if isinstance(first, values.Tensor) and isinstance(other, values.Tensor):
            shape = join(first.shape, other.shape, lambda a, b: _either(a, b, ctx, is_open))
            dtype = first.dtype if first.dtype == other.dtype else None
            content = first.content if first.content == other.content else None
            nature = first.nature if first.nature == other.nature else ""
            made = replace(first, step=0, output=0, role="tensor" if first.role == "placeholder" else first.role)
            first = replace(made, shape=shape, dtype=dtype, content=content, nature=nature)
        elif isinstance(first, Seq) and isinstance(other, Seq) and len(first.items) == len(other.items):
            pairs = zip(first.items, other.items, strict=True)
            first = Seq(first.kind, tuple(joined(pair, ctx, is_open=is_open) for pair in pairs))
        elif isinstance(first, Dict) and isinstance(other, Dict) and _have_same_keys(first, other):
            both = ((key, (value, other.get(key) or value)) for key, value in first.items)
            first = Dict(tuple((key, joined(pair, ctx, is_open=is_open)) for key, pair in both))
        else:
            return ctx.lost("a call with several possible results")
    return first


def _have_same_keys(first: Dict, other: Dict) -> bool:
    keys, others = ({key for key, _ in each.items} for each in (first, other))
    return first.rest is None and other.rest is None and keys == others


def _either(a: Size, b: Size, ctx: Context, is_open: bool) -> Size:
    return ctx.fresh("?", Kind.COUNTED if is_open else Kind.LOST, f"{a} or {b}")
