"""Operations of Python that need the value of a symbolic tensor, which does not exist while its graph is built."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.paths.constraints import require
from shapecheck.dataflow.paths.single_values import check_condition
from shapecheck.dataflow.stages.compilation import check_compiled
from shapecheck.dataflow.stages.created_state import check_state
from shapecheck.dataflow.stages.kept_tensors import is_kept
from shapecheck.dataflow.stages.own_graphs import OwnGraphs, default_graph, graph_of, stranger
from shapecheck.dataflow.stages.plain_graphs import may_run
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.dataflow.state.reexecutions import Reexecutions
from shapecheck.dataflow.state.stage import GRAPH, KERAS, LOOP
from shapecheck.domain.values import NONE, Seq, SliceValue, Tensor, Value, find_certain, walk
from shapecheck.models.lang.bind import bind
from shapecheck.models.lang.packs import OF_GRAPHS, arrays
from shapecheck.models.lang.parameter_kinds import Reading
from shapecheck.models.lang.registry import Model
from shapecheck.models.lang.traits import has
from shapecheck.shapes.facts import FALSE
from shapecheck.shapes.shape import SCALAR
from shapecheck.shapes.text import show
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def is_symbolic(t: Tracer, value: Value) -> bool:
    """Return whether a value is a tensor of a graph that is being built, or was."""
    if not isinstance(value, Tensor) or value.role not in ("tensor", "run-time"):
        return False
    return value.trace != 0 and (value.trace != KERAS or t.stage.trace == KERAS or is_kept(t, value))


def needs_graph(t: Tracer, value: Value) -> bool:
    """Return whether a value exists only when the graph runs that is being built: a symbolic tensor, or a variable."""
    return is_symbolic(t, value) or _is_read_in_graph(t, value)


def refuse(t: Tracer, kind: ClashKind, operation: str, value: Value, message: str, place: Place) -> None:
    """Record that an operation raises for a symbolic tensor, and end the path."""
    report(t, kind, operation, value, message, place)
    raise PathEnds


def report(t: Tracer, kind: ClashKind, operation: str, value: Value, message: str, place: Place) -> None:
    """Record that an operation raises for a symbolic tensor."""
    step = t.add_step("op", operation, [value], {}, place)
    with t.during(step):
        require(t, kind, FALSE, message, value)


def is_keras_tensor(value: Value) -> bool:
    """Return whether a value is a symbolic input or output of layers, which has no value at all."""
    return isinstance(value, Tensor) and value.library == "keras" and value.role != "variable"


NEEDS = {
    ClashKind.SYMBOLIC_BOOL: "needs a bool, and a {} has no value",
    ClashKind.SYMBOLIC_ITERATION: "cannot iterate over a {}",
    ClashKind.SYMBOLIC_PYTHON: "needs a Python value, and a {} has none",
}


def require_value(t: Tracer, value: Value, place: Place, operation: str, *, is_converted: bool = False) -> None:
    """Refuse a symbolic tensor where Python needs a bool; AutoGraph converts some of these operations."""
    check_condition(t, value, place, operation)
    _refuse_symbolic(t, ClashKind.SYMBOLIC_BOOL, operation, value, place, is_converted=is_converted)


def require_iterable(
    t: Tracer, values: Iterable[Value], place: Place, operation: str, *, is_converted: bool = False
) -> None:
    """Refuse tensors where Python iterates over them while a graph is built; AutoGraph converts loops."""
    for value in values:
        _refuse_symbolic(t, ClashKind.SYMBOLIC_ITERATION, operation, value, place, is_converted=is_converted)


def require_python(t: Tracer, value: Value, place: Place, operation: str, *, is_converted: bool = False) -> None:
    """Refuse a symbolic tensor where Python needs one of its own values; AutoGraph converts some operations."""
    _refuse_symbolic(t, ClashKind.SYMBOLIC_PYTHON, operation, value, place, is_converted=is_converted)


def require_hashable(t: Tracer, value: Value, place: Place, operation: str) -> None:
    """Refuse a symbolic tensor as a key; most of Keras's own may be keys, as variables and tensors of a session are."""
    is_key = is_keras_tensor(value) or (isinstance(value, Tensor) and value.role == "variable")
    if isinstance(value, Tensor) and not is_key and not is_of_session(t, value):
        require_python(t, value, place, operation)


def _refuse_symbolic(
    t: Tracer, kind: ClashKind, operation: str, value: Value, place: Place, *, is_converted: bool = False
) -> None:
    """Refuse a symbolic tensor of a graph or of Keras in an operation of Python."""
    if t.stage.is_array_trace and _takes_array(t, kind, operation):
        return
    need = f"{operation} {NEEDS[kind]}"
    if is_keras_tensor(value) and t.target.tensorflow != 1:
        if t.target.keras == 3 or kind is not ClashKind.SYMBOLIC_ITERATION:  # Keras 2 takes batches of known size
            refuse(t, kind, operation, value, need.format("symbolic Keras tensor"), place)
        t.program.is_version_decisive |= t.target.is_unmarked
    if is_of_session(t, value) and not (kind is ClashKind.SYMBOLIC_BOOL and _is_variable(value)):
        refuse(t, kind, operation, value, need.format("tensor of a graph"), place)
    if not LACKING.get(kind, is_symbolic)(t, value):
        return
    if not (is_converted and t.stage.is_converted):
        word = _word(value) if needs_graph(t, value) else "tensor of TensorFlow"
        refuse(t, kind, operation, value, f"{need.format(word)} {_when(t)}", place)
    t.program.is_version_decisive |= t.stage.is_version_open


def _has_no_iterator(t: Tracer, value: Value) -> bool:
    """Return whether Python cannot iterate over a value: a tensor of TensorFlow while a graph is built, even an eager
    one."""
    is_tensor = isinstance(value, Tensor) and value.library == OF_GRAPHS and value.role in ("tensor", "variable")
    return is_symbolic(t, value) or (is_tensor and not t.stage.is_eager)


LACKING = {ClashKind.SYMBOLIC_PYTHON: needs_graph, ClashKind.SYMBOLIC_ITERATION: _has_no_iterator}
"""Which values lack what an operation of Python needs; otherwise symbolic tensors do."""


def _takes_array(t: Tracer, kind: ClashKind, operation: str) -> bool:
    """Return whether an operation of Python takes a traced array: all iterate over its rows, and derivatives have
    values."""
    if t.stage.has_values:
        return kind is not ClashKind.SYMBOLIC_PYTHON or not (operation in FLOATS or operation.startswith("math."))
    return kind is ClashKind.SYMBOLIC_ITERATION or operation in OF_ARRAYS


FLOATS = ("float", "complex")
OF_ARRAYS = ("len", "round", "divmod")
"""Builtins that call a method of the array."""


def _word(value: Value | None) -> str:
    """Return what a library calls a tensor that has no value."""
    return arrays(value.library).traced if isinstance(value, Tensor) else "symbolic tensor"


def is_of_session(t: Tracer, value: Value) -> bool:
    """Return whether a value is a tensor or variable of the graph that a program builds before a session runs it."""
    if not (t.target.deferred and t.stage.is_eager and isinstance(value, Tensor)):
        return False
    return value.library == OF_GRAPHS and value.role in ("placeholder", "tensor", "run-time", "variable")


def _is_variable(value: Value) -> bool:
    return isinstance(value, Tensor) and value.role == "variable"


def _is_read_in_graph(t: Tracer, value: Value) -> bool:
    """Return whether a value is a variable whose reading is an operation of a graph."""
    return not t.stage.is_eager and _is_variable(value)


def _when(t: Tracer) -> str:
    """Return the end of a message, which names the traced function."""
    name = t.stage.function
    if t.stage.trace == GRAPH or t.stage.is_eager:
        return "while the graph is built" if t.stage.is_eager else "while a tf.Graph is built"
    return f"while {name} is traced" if name and name != "<lambda>" else "while its function is traced"


def check_array_index(t: Tracer, array: Tensor, values: Sequence[Value], place: Place) -> None:
    """Refuse symbolic tensors as indices and as new elements of an array of NumPy."""
    if not t.has_graphs or array.library != "np":
        return
    require_array(t, values, place, "[]")


def require_array(t: Tracer, values: Sequence[Value], place: Place, operation: str) -> None:
    """Refuse symbolic tensors where a library works on arrays of NumPy."""
    symbolic = find_tensor(values, lambda part: is_symbolic(t, part))
    if symbolic is not None:
        said = f"{NEEDS_VALUES.format(_word(symbolic))} {_when(t)}"
        refuse(t, ClashKind.SYMBOLIC_NUMPY, operation, symbolic, said, place)


NEEDS_VALUES = "NumPy needs values, and a {} has none"
LEAKED = {
    GRAPH: (ClashKind.LEAKED_SYMBOLIC, "a tensor of a tf.Graph is used outside of it"),
    KERAS: (ClashKind.LEAKED_SYMBOLIC, "a layer has kept a symbolic tensor, which is used outside of it"),
    LOOP: (ClashKind.LOOP_STATE, "a tensor that was appended in a loop has no value after it"),
}


def said_of_leak(tensor: Tensor) -> tuple[ClashKind, str]:
    """Return what the use of a tensor of a graph outside of it is, in words."""
    said = f"a {_word(tensor)} is used outside of the function it is of"
    return LEAKED.get(tensor.trace, (ClashKind.LEAKED_SYMBOLIC, said))


def check_operands(t: Tracer, model: Model, name: str, given: Arguments) -> None:
    """Refuse symbolic tensors in operations that need values, and those of another graph."""
    leaked = find_tensor(given.values, lambda part: _is_leaked(t, part))
    if leaked is not None and not has(name, "describes"):
        kind, said = said_of_leak(leaked)
        require(t, kind, FALSE, said, leaked)
        raise PathEnds
    _check_graphs(t, name, given)
    if not t.stage.is_eager:
        check_state(t, name, given)
    if t.stage.is_compiled:
        check_compiled(t, name, given)
    if t.stage.is_array_trace:
        _check_sizes(t, model, name, given)
    is_v1 = t.target.tensorflow == 1 and t.stage.is_eager  # a version that has such methods
    is_readable = is_v1 or t.stage.has_values
    if has(name, "gives the value") and given.args and not is_readable and _has_no_value(t, given.args[0]):
        what = "variable" if _is_variable(given.args[0]) else _word(given.args[0])
        method = name.rpartition(".")[2]
        require(t, ClashKind.SYMBOLIC_PYTHON, FALSE, f"a {what} has no {method}() {_when(t)}", given.args[0])
        raise PathEnds
    if name.startswith("np.") and not has(name, "takes symbolic tensors") and _converts(model, name):
        is_lenient = t.target.tensorflow == 1 and t.stage.is_eager
        is_any_array = is_lenient and not has(name, "refuses tensors of TensorFlow 1")
        is_any_array |= t.stage.is_array_trace and has(name, "calls the method of an array")
        symbolic = None if is_any_array else find_tensor(given.values, lambda part: _has_no_value(t, part))
        if symbolic is not None and not given.place.source.mentions(NUMPY_OF_TENSORFLOW):
            said = f"{NEEDS_VALUES.format(_word(symbolic))} {_when(t)}"
            require(t, ClashKind.SYMBOLIC_NUMPY, FALSE, said, symbolic)
            raise PathEnds


STATIC = {
    Reading.SHAPE: "a size",
    Reading.SIZE: "a size",
    Reading.SIZES: "a size",
    Reading.AXIS: "an axis",
    Reading.AXES: "an axis",
}
"""Parameters that must be numbers of Python while a function is traced."""
TOLD = ("size", "length", "total_repeat_length")
"""Options that tell how many elements there are, where the values of an array decide it otherwise."""


def _check_sizes(t: Tracer, model: Model, name: str, given: Arguments) -> None:
    """Refuse traced arrays as sizes, axes and bounds of slices, and functions whose results are as long as the values
    of a traced array say."""
    if t.stage.has_values or any(option in given.keywords for option in TOLD):
        return
    made, subject = model.definition, find_tensor(given.values, lambda part: is_symbolic(t, part))
    if subject is None:
        return
    if has(name, "needs numbers of Python"):
        _refuse_size(t, name, subject, "a size")
    if has(name, "is as long as the values say") or (
        has(name, "selects where it has one operand") and len(given.values) == 1
    ):
        said = f"the values of the array say how many elements there are, and a {_word(subject)} has none {_when(t)}"
        require(t, ClashKind.SYMBOLIC_PYTHON, FALSE, said, subject)
        raise PathEnds
    if made.form != "op":
        return
    bound = bind(name, made.parameters, made.was, made.varargs, given.args, given.keywords, t.target)
    if bound is not None and has(name, "counts segments") and bound.given.get("num_segments", NONE) == NONE:
        _refuse_size(
            t, name, find_tensor([bound.given["segment_ids"]], lambda part: is_symbolic(t, part)), "num_segments"
        )
    for parameter in made.parameters if bound is not None else ():
        value = bound.given.get(parameter.name, NONE) if bound is not None else NONE
        if (what := STATIC.get(parameter.reading)) is not None and not has(name, "takes traced numbers"):
            _refuse_size(t, name, find_tensor([value], lambda part: is_symbolic(t, part)), what)
        elif parameter.name == "index":
            _check_index(t, name, value)


def _check_index(t: Tracer, name: str, index: Value) -> None:
    """Refuse masks and bounds of slices that have no values."""
    entries = index.items if isinstance(index, Seq) and index.kind == "tuple" else (index,)
    for entry in entries:
        if isinstance(entry, SliceValue):
            bounds = (entry.lower, entry.upper, entry.step)
            _refuse_size(t, name, find_tensor(bounds, lambda part: is_symbolic(t, part)), "the bound of a slice")
        elif isinstance(entry, Tensor) and entry.dtype == "bool" and is_symbolic(t, entry):
            said = f"the values of a mask say how many elements there are, and a {_word(entry)} has none {_when(t)}"
            require(t, ClashKind.SYMBOLIC_PYTHON, FALSE, said, entry)
            raise PathEnds


def _refuse_size(t: Tracer, name: str, tensor: Tensor | None, what: str) -> None:
    if tensor is not None:
        said = f"{what} must be a number of Python, and a {_word(tensor)} has no value {_when(t)}"
        require(t, ClashKind.SYMBOLIC_PYTHON, FALSE, said, tensor)
        raise PathEnds


def _check_graphs(t: Tracer, name: str, given: Arguments) -> None:
    """Refuse operands of several graphs that the program has made."""
    if not t.component(OwnGraphs).spans or has(name, "describes") or not name.startswith("tf.") or ".Session." in name:
        return
    graph = default_graph(t)
    tensors = [part for value in given.values for part in walk(value) if isinstance(part, Tensor)]
    known = [graph] if graph is not None else [graph_of(t, tensor) for tensor in tensors]
    other = stranger(t, next((each for each in known if each is not None), None), tensors)
    if other is not None:
        require(t, ClashKind.LEAKED_SYMBOLIC, FALSE, "the tensor is of another graph", other)
        raise PathEnds


def _has_no_value(t: Tracer, value: Value) -> bool:
    """Return whether a value exists only when a graph runs."""
    return needs_graph(t, value) or is_of_session(t, value)


def _is_leaked(t: Tracer, tensor: Tensor) -> bool:
    """Return whether a tensor is one of a graph that is not being built."""
    if tensor.trace == KERAS:
        return is_kept(t, tensor)
    if tensor.trace in (0, t.stage.trace):
        return False
    if tensor.trace != GRAPH or t.step is None:
        return True
    return not (t.component(Reexecutions).depth or may_run(t.step.place.source))


NUMPY_OF_TENSORFLOW = re.compile(r"experimental\.numpy|\btf_numpy\b")
"""Modules whose functions have the names of NumPy here, and take tensors; a file with such a name is left out."""


def _converts(model: Model, name: str) -> bool:
    """Return whether a function of NumPy converts what it is given to arrays and numbers, as no operator does."""
    is_operator = model.definition.operator and not name.rpartition(".")[2].isidentifier()
    return has(name, "makes an array") or (model.definition.form == "op" and not is_operator)


OPERATIONS = frozenset("tf.concat tf.split tf.strided_slice tf.range tf.map_fn tf.scan tf.foldl tf.foldr".split())
METHODS = ("tf.Tensor.", "tf.Variable.", "np.ndarray.")


def check_keras_tensors(t: Tracer, model: Model, name: str, given: Arguments) -> None:
    """Refuse symbolic Keras tensors in functions of TensorFlow and NumPy, which Keras 3 keeps apart."""
    is_operation = model.definition.form == "op" and not model.definition.operator
    if not name.startswith(("tf.", "np.")) or not (is_operation or name in OPERATIONS):
        return
    if name.startswith(METHODS) or has(name, "takes symbolic tensors"):
        return
    if t.target.keras not in (3, None) or t.target.tensorflow == 1:
        return
    symbolic = find_tensor(given.args, is_keras_tensor)
    if symbolic is None:
        return
    if t.target.keras is None:
        t.program.is_version_decisive |= t.target.is_unmarked
        return
    library = "NumPy needs values, and" if name.startswith("np.") else "functions of TensorFlow need tensors, and"
    require(t, ClashKind.SYMBOLIC_NUMPY, FALSE, f"{library} a KerasTensor is a placeholder", symbolic)
    raise PathEnds


def find_tensor(values: Iterable[Value], holds: Callable[[Tensor], bool]) -> Tensor | None:
    """Return a tensor in the values, or in their sequences, for which something holds on every path; or None."""
    for value in values:
        if isinstance(value, Tensor):
            if holds(value):
                return value
            continue
        found = find_certain(value, lambda part: isinstance(part, Tensor) and holds(part))
        if isinstance(found, Tensor):
            return found
    return None


ITERATING = frozenset("zip enumerate list tuple set frozenset sum min max map filter any all reversed".split())
"""Builtins that iterate over their arguments, and that AutoGraph converts for data sets alone."""

NUMBERS = ("int", "float")
CONVERTED = frozenset("len sorted range".split())
"""Builtins that take a symbolic tensor where AutoGraph converts them, besides those of numbers."""


def check_builtin(t: Tracer, name: str, given: Arguments) -> None:
    """Refuse symbolic tensors in builtins that need values or items, and variables as Python's numbers."""
    if name in NUMBERS and given.args:
        require_python(t, given.args[0], given.place, name, is_converted=True)
        return
    if name in ITERATING and not (name in ("min", "max") and len(given.args) > 1):
        require_iterable(t, given.args, given.place, name)
        return
    symbolic = [value for value in given.args if is_symbolic(t, value) or is_of_session(t, value)]
    if not symbolic:
        return
    if name == "bool" or (name in ("min", "max") and len(given.args) > 1):
        require_value(t, symbolic[0], given.place, name)
    elif name == "len" and isinstance(symbolic[0], Tensor) and symbolic[0].shape == SCALAR:
        refuse(t, ClashKind.SYMBOLIC_PYTHON, name, symbolic[0], "len needs items, and a scalar has none", given.place)
    elif (
        name == "sorted" and t.stage.is_converted and isinstance(symbolic[0], Tensor) and symbolic[0].shape.min_rank > 1
    ):
        said = f"sorted takes a vector, and the tensor has shape {show(symbolic[0].shape)}"
        refuse(t, ClashKind.SYMBOLIC_PYTHON, name, symbolic[0], said, given.place)
    elif name in CONVERTED:
        require_python(t, symbolic[0], given.place, name, is_converted=True)
