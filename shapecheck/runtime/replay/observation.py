"""Observation of what the library says nothing about: a replay counts it, and raises an error with the count."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.clash import Clash
from shapecheck.domain.values import Tensor, Value
from shapecheck.python_syntax import expression_of
from shapecheck.runtime.replay.excerpt import Excerpt, extent, functions_around
from shapecheck.runtime.replay.program import Unrenderable
from shapecheck.source import Place

_ERROR = ["class ObservedError(Exception):", "    pass", "", ""]
_COUNT_TRACES = [
    "replay_counts = dict(traces=0, calls=0)",
    "",
    "",
    "def note_trace(value=None):",
    '    replay_counts["traces"] += 1',
    "    return value",
    "",
    "",
    "def note_call(result):",
    '    replay_counts["calls"] += 1',
    '    if replay_counts["traces"] >= 5:',
    '        raise ObservedError("{traces} traces in {calls} calls".format(**replay_counts))',
    "    return result",
    "",
    "",
]
_OF_CALLS = (" in {calls} calls", " of functions made anew")
_TRACES_SHOWN = ["note_call(None)"]
_COUNT_COPIES = [
    "from tensorflow import inside_function as is_copied",
    "",
    "replay_copies = []",
    "",
    "",
    "def note_copy():",
    "    replay_copies.append(is_copied())",
    "",
    "",
]
_COPIES_SHOWN = [
    "if sum(replay_copies) >= 100:",
    '    raise ObservedError(f"{sum(replay_copies)} iterations are copied into graphs")',
]
_COUNT_RUNS = [
    "from tensorflow import nest as replay_nest",
    "",
    "replay_runs, replay_calls = [], {}",
    "",
    "",
    "def note_run(value=None):",
    '    packages = {type(part).__module__.partition(".")[0] for part in replay_nest.flatten(value)}',
    '    if not packages & {"tensorflow", "keras", "tf_keras"}:',
    "        replay_runs.append(1)",
    "    return value",
    "",
    "",
    "def note_call(number, result):",
    "    replay_calls[number] = replay_calls.get(number, 0) + 1",
    "    return result",
    "",
    "",
]
_RUNS_SHOWN = [
    "if replay_runs and len(replay_runs) < max(replay_calls.values()):",
    '    raise ObservedError(f"Python executes it in {len(replay_runs)} of {max(replay_calls.values())} calls")',
]
_SEE_NONE = [
    "from tensorflow import nest as replay_nest",
    "",
    "",
    "def note_gradient(gradient):",
    "    missing = [part is None for part in replay_nest.flatten(gradient)]",
    "    if any(missing):",
    '        raise ObservedError(f"{sum(missing)} of {len(missing)} gradients are None")',
    "    return gradient",
    "",
    "",
]
_COUNT_NUMBERS = [
    "def note_target(target):",
    "    count = int(target.shape.num_elements())",
    "    if count > 1:",
    '        raise ObservedError(f"the gradients of {count} numbers are added")',
    "    return target",
    "",
    "",
]
SAVED = "note_saved"
"""The function that builds in a replay what the program saves, and writes no file."""
_SAVE_NOTHING = [
    "from tensorflow.core.protobuf import meta_graph_pb2 as replay_graphs",
    "from tensorflow.python.saved_model import save as replay_save",
    "",
    "",
    f"def {SAVED}(obj, export_dir=None, signatures=None, options=None):",
    "    options = options or tf.saved_model.SaveOptions()",
    "    replay_save._build_meta_graph(obj, signatures, options, replay_graphs.MetaGraphDef())",
    "",
    "",
]
_GIVES_GRADIENT = re.compile(r"\.(gradients?|jacobian|batch_jacobian)$")


def observe(made: Excerpt, clash: Clash) -> tuple[list[str], list[str], bool]:
    """Add what counts to an excerpt; return the lines that belong above and below it, and whether an execution without
    an error shows that there is no fault."""
    match clash.kind:
        case ClashKind.RETRACE_FUNCTION | ClashKind.RETRACE_SHAPE | ClashKind.RETRACE_VALUE:
            _wrap(made, clash.step.place, "note_call(")
            _note_traces(made, clash.step.name)
            counting = _COUNT_TRACES
            if clash.kind is ClashKind.RETRACE_FUNCTION:  # what is noted may be where the functions are made
                counting = [line.replace(*_OF_CALLS) for line in counting]
            return [*_ERROR, *counting], _TRACES_SHOWN, True
        case ClashKind.UNROLLED:
            _note_copies(made, clash.step.place)
            return [*_ERROR, *_COUNT_COPIES], _COPIES_SHOWN, True
        case ClashKind.TRACE_EFFECT | ClashKind.TRACE_VALUE:
            _note_runs(made, clash)
            return [*_ERROR, *_COUNT_RUNS], _RUNS_SHOWN, False
        case ClashKind.NO_GRADIENT if _is_gradient(clash.step.place):
            _wrap(made, clash.step.place, "note_gradient(")
            return [*_ERROR, *_SEE_NONE], [], True
        case ClashKind.GRADIENT_SUMMED:
            _wrap_target(made, clash.step.place)
            return [*_ERROR, *_COUNT_NUMBERS], [], True
        case ClashKind.UNTRACKED:
            return _SAVE_NOTHING, [], True
        case ClashKind.SYMBOLIC_PYTHON if any(map(_is_array, clash.operands)):
            return [], [], False  # in a function that a graph may call only when it runs
        case ClashKind.REPLICA_LOSS | ClashKind.NO_GRADIENT | ClashKind.LOOP_STATE if clash.claim is None:
            raise Unrenderable("raises no error, but has another result")
    return [], [], True


def _is_array(value: Value) -> bool:
    return isinstance(value, Tensor) and value.library == "np"


def _wrap(made: Excerpt, place: Place, opening: str) -> None:
    made.wrap(place.start, place.end, opening)


def _wrap_target(made: Excerpt, place: Place) -> None:
    """Give the target of a gradient to what counts its numbers."""
    calls = (node for node in _kept(made) if isinstance(node, ast.Call) and extent(made.source, node)[0] == place.start)
    call = next((node for node in calls if extent(made.source, node)[1] == place.end), None)
    named = {keyword.arg: keyword.value for keyword in call.keywords} if call is not None else {}
    target = named.get("target", call.args[0] if call is not None and call.args else None)
    if target is None:
        raise Unrenderable("has a target that cannot be found")
    made.wrap(*extent(made.source, target), "note_target(")


def _is_gradient(place: Place) -> bool:
    return _GIVES_GRADIENT.search(place.text.partition("(")[0]) is not None


def _note_traces(made: Excerpt, name: str) -> None:
    """Count the executions of a function's code by Python, each of which is a trace."""
    if name == "<lambda>":
        found = [node for node in _kept(made) if isinstance(node, ast.Call) and _is_traced_lambda(node)]
        if len(found) != 1:
            raise Unrenderable("calls a function that cannot be found")
        body = found[0].args[0].body  # type: ignore[attr-defined]
        made.wrap(*extent(made.source, body), "note_trace(")
        return
    functions = [node for node in _kept(made) if isinstance(node, ast.FunctionDef) and node.name == name]
    if len(functions) != 1:
        raise Unrenderable(f"calls {name}, which cannot be found")
    _note_first(made, functions[0], "note_trace()")


def _is_traced_lambda(node: ast.Call) -> bool:
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return called == "function" and bool(node.args) and isinstance(node.args[0], ast.Lambda)


def _kept(made: Excerpt) -> Iterator[ast.AST]:
    for unit in made.units:
        yield from ast.walk(unit.node)


def _note_first(made: Excerpt, node: ast.FunctionDef | ast.For | ast.While, statement: str) -> None:
    """Add a statement at the beginning of the code of a function or loop."""
    if node.body[0].lineno == node.lineno:
        raise Unrenderable("is written in one line")
    made.insert(_first_row(node.body[0]), statement)


def _first_row(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _note_copies(made: Excerpt, place: Place) -> None:
    """Count the iterations of a loop, those of the innermost one in it."""
    row = made.source.position(place.start)[0]
    loop = next((node for node in _kept(made) if isinstance(node, ast.For | ast.While) and node.lineno == row), None)
    if loop is None:
        raise Unrenderable("has a loop that cannot be found")
    inner = [node for node in ast.walk(loop) if isinstance(node, ast.For)]
    _note_first(made, inner[-1] if inner else loop, "note_copy()")


def _note_runs(made: Excerpt, clash: Clash) -> None:
    """Count how often Python does something that is not an operation of a library, and each call on the way to it."""
    place = clash.step.place
    row = made.source.position(place.start)[0]
    around = list(functions_around(made, row))
    inside = [node for node in ast.walk(around[-1]) if isinstance(node, ast.stmt)] if around else []
    statements = [node for node in inside if node.lineno <= row <= (node.end_lineno or row) and node is not around[-1]]
    if not statements or not clash.step.frames:
        raise Unrenderable("is not in a function that the program calls")
    if _stores(statements[-1]):
        made.insert(_first_row(statements[-1]), "note_run()")
    elif expression_of(place.text) is not None:
        _wrap(made, place, "note_run(")
    else:
        raise Unrenderable("is a statement whose effect is not observed")
    for number, frame in enumerate(clash.step.frames):
        if frame.place.source.filename == made.source.filename:
            _wrap(made, frame.place, f"note_call({number}, ")


def _stores(node: ast.stmt) -> bool:
    """Return whether a statement changes a part of an object, or a number with a name."""
    if isinstance(node, ast.AugAssign):
        return True
    return isinstance(node, ast.Assign) and not any(isinstance(target, ast.Name) for target in node.targets)
